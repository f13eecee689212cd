"""What Search returned, against all that the job wrote to that user: at most one fact a question, and none for an honest one."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from aml.contracts.fair_play import FlaggedItem, SearchFlagged
from aml.contracts.jobs import JobRequested
from aml.contracts.packs import ChunkPack
from aml.contracts.participant import Memory
from aml.contracts.units import QuestionOpened
from aml.rules.fair_play import Written, count_flags, measure, text_of
from aml.rules.identity import event_id_at, job_subject
from aml.runtime.clock import Clock
from aml.runtime.evidence import EvidenceStore
from aml.runtime.participants import Participants
from aml.runtime.sample_packs import SamplePacks

ITEMS_KEPT: Final = 20
SAMPLES_KEPT: Final = 32


@dataclass(frozen=True)
class FairPlayMeter:
    evidence: EvidenceStore
    clock: Clock
    packs: SamplePacks
    participants: Participants
    _written: OrderedDict[tuple[str, str], Written] = field(default_factory=OrderedDict)

    async def flagged(
        self, requested: JobRequested, opened: QuestionOpened, memories: Sequence[Memory]
    ) -> SearchFlagged | None:
        """For a participant's Search. Raises `EvidenceUnavailable`."""
        if not memories:
            return None
        written = self._written.get((opened.job_id, opened.sample))
        if written is None:
            written = await self._written_to(opened.job_id, opened.sample)
        question = (await self.packs.questions(opened.job_id, opened.sample)).questions[opened.index]
        release, _ = self.participants.release_of(requested.release_id)
        found = measure(memories, question.options, written, release.fair_play)
        if not found:
            return None
        items = tuple(
            FlaggedItem(position=position, kinds=kinds, memory=memories[position])
            for position, kinds in list(found.items())[:ITEMS_KEPT]
        )
        cited_by = event_id_at(job_subject(opened.job_id, SearchFlagged, opened.unit))
        return SearchFlagged(
            at=self.clock.now_ms(),
            job_id=opened.job_id,
            unit=opened.unit,
            sample=opened.sample,
            index=opened.index,
            dataset=opened.dataset,
            returned=len(memories),
            flags=count_flags(found),
            items=await self.evidence.put_json(opened.job_id, cited_by, items),
        )

    async def _written_to(self, job_id: str, sample: str) -> Written:
        fresh = written_in(await self.packs.chunks(job_id, sample))
        # Another question of the sample may have been first; what it has judged is kept.
        written = self._written.setdefault((job_id, sample), fresh)
        if len(self._written) > SAMPLES_KEPT:
            self._written.popitem(last=False)
        return written


def written_in(pack: ChunkPack) -> Written:
    return Written(text_of(message.content) for chunk in pack.chunks for message in chunk.request.messages)
