"""All that is kept of one question: read from the stream and the evidence at each request, and nowhere copied to."""

from typing import TypeVar

import structlog
from msgspec import Struct

from aml.contracts.benchmark import Gold
from aml.contracts.envelope import EvidenceRef
from aml.contracts.events import Event
from aml.contracts.packs import AnswerRecord, VerdictRecord
from aml.contracts.participant import AttemptLog, Memory
from aml.contracts.units import AnswerGenerated, SearchReturned
from aml.contracts.verdicts import AnswerScored, UnitUnscored
from aml.gateway.errors import Unavailable
from aml.rules.identity import event_id, job_subject
from aml.runtime.bus import TRANSIENT_BUS_ERRORS, Bus
from aml.runtime.evidence import EvidenceCorrupt, EvidenceDestroyed, EvidenceStore, EvidenceUnavailable
from aml.runtime.sample_packs import SamplePacks, SampleUnknown

from .gold_cover import cover_gold
from .views import EvidenceState, QuestionFile, QuestionRow, QuestionText

log = structlog.get_logger()

T = TypeVar("T")


class QuestionReader(Struct, frozen=True, kw_only=True):
    bus: Bus
    evidence: EvidenceStore
    packs: SamplePacks

    async def read(self, job_id: str, row: QuestionRow, *, show_gold: bool) -> QuestionFile:
        """Raises `Unavailable` where the stream or the evidence cannot be read now."""
        try:
            return await self._read(job_id, row, show_gold=show_gold)
        except EvidenceDestroyed:
            return without_texts(job_id, row, "destroyed", show_gold=show_gold)
        except EvidenceCorrupt as error:
            log.error("question.evidence_corrupt", job_id=job_id, digest=error.digest)  # noqa: TRY400  no bug to trace
            return without_texts(job_id, row, "corrupt", show_gold=show_gold)
        except (*TRANSIENT_BUS_ERRORS, EvidenceUnavailable):
            raise Unavailable("evidence_unavailable", "what is kept of this question cannot be read now") from None

    async def _read(self, job_id: str, row: QuestionRow, *, show_gold: bool) -> QuestionFile:
        question, gold = await self._asked(job_id, row)
        searched = await self._fact(job_id, row, SearchReturned)
        answered = await self._fact(job_id, row, AnswerGenerated)
        ended = await self._fact(job_id, row, AnswerScored)
        memories = answer = verdict = attempts = None
        if isinstance(searched, SearchReturned):
            memories = await self._open(searched, searched.memories, tuple[Memory, ...])
        if isinstance(answered, AnswerGenerated):
            answer = await self._open(answered, answered.answer, AnswerRecord)
        if isinstance(ended, AnswerScored):
            verdict = await self._open(ended, ended.verdict, VerdictRecord)
            if not show_gold:
                verdict = cover_gold(verdict, gold) if gold is not None else None
        if isinstance(ended, UnitUnscored) and ended.attempt_log is not None:
            attempts = await self._open(ended, ended.attempt_log, AttemptLog)
        return QuestionFile(
            job_id=job_id,
            row=row,
            evidence="kept",
            question=question,
            memories=memories,
            answer=answer,
            verdict=verdict,
            attempts=attempts,
            gold_shown=show_gold,
            gold=gold if show_gold else None,
        )

    async def _asked(self, job_id: str, row: QuestionRow) -> tuple[QuestionText | None, Gold | None]:
        if row.sample is None or row.item is None:
            return None, None
        try:
            asked = (await self.packs.questions(job_id, row.sample)).questions[row.item]
            gold = (await self.packs.gold(job_id, row.sample)).gold[row.item]
        except SampleUnknown:
            return None, None
        shown = QuestionText(
            question_id=asked.question_id,
            text=asked.text,
            options=asked.options,
            category=asked.category,
            capability=asked.capability,
            in_overall=asked.in_overall,
            asked_at=asked.asked_at,
        )
        return shown, gold

    async def _fact(
        self, job_id: str, row: QuestionRow, kind: type[SearchReturned | AnswerGenerated | AnswerScored]
    ) -> Event | None:
        return await self.bus.last_event(job_subject(job_id, kind, row.unit))

    async def _open(
        self, event: SearchReturned | AnswerGenerated | AnswerScored | UnitUnscored, ref: EvidenceRef, shape: type[T]
    ) -> T:
        return await self.evidence.open_json(event.job_id, event_id(event), ref, shape)


def without_texts(job_id: str, row: QuestionRow, evidence: EvidenceState, *, show_gold: bool) -> QuestionFile:
    return QuestionFile(
        job_id=job_id,
        row=row,
        evidence=evidence,
        question=None,
        memories=None,
        answer=None,
        verdict=None,
        attempts=None,
        gold_shown=show_gold,
        gold=None,
    )
