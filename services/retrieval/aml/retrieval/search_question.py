"""QuestionOpened → SearchReturned; or the unit is requeued, ends unscored, or the job stops at a contract error."""

from dataclasses import dataclass

import msgspec
import structlog
from msgspec import UNSET

from aml.contracts.benchmark import Question
from aml.contracts.participant import SearchRequest
from aml.contracts.units import QuestionOpened, SearchReturned
from aml.contracts.verdicts import UnitUnscored
from aml.rules.identity import event_id_at, job_subject
from aml.rules.requeue import DETAIL_LIMIT
from aml.runtime.attempt_evidence import keep_attempts, with_attempts
from aml.runtime.bus import Bus
from aml.runtime.clock import Clock
from aml.runtime.evidence import JSON, EvidenceStore
from aml.runtime.lane import Delivery
from aml.runtime.open_jobs import OpenJob, OpenJobs
from aml.runtime.participant.errors import ParticipantError
from aml.runtime.participant.outcomes import SearchOutcome
from aml.runtime.participant_failure import stop_or_requeue
from aml.runtime.participants import Participants
from aml.runtime.publish_once import publish_once
from aml.runtime.sample_packs import SamplePacks

from .baseline_arms import memories_of
from .fair_play_meter import FairPlayMeter

log = structlog.get_logger()


@dataclass(frozen=True)
class QuestionSearcher:
    bus: Bus
    clock: Clock
    evidence: EvidenceStore
    jobs: OpenJobs
    packs: SamplePacks
    participants: Participants
    fair_play: FairPlayMeter

    async def search(self, opened: QuestionOpened, delivery: Delivery) -> None:
        job = await self.jobs.get(opened.job_id)
        if job is None:
            return
        subject = job_subject(opened.job_id, SearchReturned, opened.unit)
        if delivery.redelivered and await self.bus.last_event(subject) is not None:
            return
        try:
            found = await self._found(job, opened)
        except ParticipantError as error:
            await self._after_failure(opened, delivery, error)
            return
        if job.requested.arm == "participant":
            flagged = await self.fair_play.flagged(job.requested, opened, found.memories)
            if flagged is not None:
                # Before the fact that the question's end follows, so that the job's seal closes both.
                await publish_once(self.bus, flagged)
        returned = SearchReturned(
            at=self.clock.now_ms(),
            job_id=opened.job_id,
            unit=opened.unit,
            sample=opened.sample,
            index=opened.index,
            dataset=opened.dataset,
            returned=len(found.memories),
            memories=await self.evidence.put(opened.job_id, event_id_at(subject), JSON, found.encoded),
            attempts=found.calls,
            latency=found.latency_us,
            received=found.received,
            attempt_log=await keep_attempts(self.evidence, opened.job_id, subject, "search", found.attempts),
        )
        await publish_once(self.bus, returned)

    async def _found(self, job: OpenJob, opened: QuestionOpened) -> SearchOutcome:
        """By the participant's Search, or by a baseline arm, which takes no attempt."""
        requested = job.requested
        if requested.arm != "participant":
            chunks = await self.packs.chunks(opened.job_id, opened.sample)
            gold = await self.packs.gold(opened.job_id, opened.sample)
            memories = memories_of(requested.arm, chunks, gold, opened.index)
            encoded = msgspec.json.encode(memories)
            return SearchOutcome(memories=memories, encoded=encoded, attempts=(), latency_us=0, received=0)
        planned = await self.packs.planned(opened.job_id, opened.sample)
        question = (await self.packs.questions(opened.job_id, opened.sample)).questions[opened.index]
        client = await self.participants.client_of(requested)
        return await client.search(search_request(question, planned.user_id, requested.top_k))

    async def _after_failure(self, opened: QuestionOpened, delivery: Delivery, error: ParticipantError) -> None:
        job_id, reason = opened.job_id, error.unscored_reason
        log.warning("search.failed", job_id=job_id, unit=opened.unit, layer=error.layer, reason=reason)
        policy, now_ms = self.participants.policy_of(job_id), self.clock.now_ms()
        decided = stop_or_requeue(opened, delivery, error, stage="retrieval", policy=policy, now_ms=now_ms)
        ending = decided or await self._unscored(opened, error, now_ms)
        await publish_once(self.bus, await with_attempts(self.evidence, ending, "search", error.attempts))

    async def _unscored(self, opened: QuestionOpened, error: ParticipantError, now_ms: int) -> UnitUnscored:
        question = (await self.packs.questions(opened.job_id, opened.sample)).questions[opened.index]
        return UnitUnscored(
            at=now_ms,
            job_id=opened.job_id,
            unit=opened.unit,
            sample=opened.sample,
            index=opened.index,
            dataset=opened.dataset,
            category=question.category,
            stage="retrieval",
            reason=error.unscored_reason,
            detail=str(error)[:DETAIL_LIMIT],
            attempts=error.calls,
            attempt_log=None,
        )


def search_request(question: Question, user_id: str, top_k: int) -> SearchRequest:
    """The benchmark's own wording; options only where the question has them. Nothing of the gold can get in here."""
    return SearchRequest(query=question.text, options=question.options or UNSET, user_id=user_id, top_k=top_k)
