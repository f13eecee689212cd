"""SamplePlanned → ChunkAdded for each Add in order, SampleIngested, and a QuestionOpened for each question."""

from dataclasses import dataclass

import structlog

from aml.contracts.events import Event
from aml.contracts.packs import QuestionPack
from aml.contracts.units import ChunkAdded, QuestionOpened, SampleIngested, SamplePlanned
from aml.contracts.verdicts import UnitUnscored
from aml.rules.identity import job_subject
from aml.rules.requeue import DETAIL_LIMIT
from aml.runtime.attempt_evidence import F, keep_attempts, with_attempts
from aml.runtime.bus import Bus
from aml.runtime.clock import Clock
from aml.runtime.lane import Delivery
from aml.runtime.open_jobs import OpenJob, OpenJobs
from aml.runtime.participant.errors import ParticipantError
from aml.runtime.participant_failure import stop_or_requeue
from aml.runtime.participants import Participants
from aml.runtime.publish_once import publish_all, publish_once
from aml.runtime.sample_packs import SamplePacks

from .plan_sample import chunk_unit

log = structlog.get_logger()


@dataclass(frozen=True)
class SampleIngester:
    bus: Bus
    clock: Clock
    jobs: OpenJobs
    packs: SamplePacks
    participants: Participants

    async def ingest(self, sample: SamplePlanned, delivery: Delivery) -> None:
        job = await self.jobs.get(sample.job_id)
        if job is None:
            return
        if job.requested.arm == "participant":
            try:
                if not await self._add_chunks(job, sample, delivery):
                    return
            except ParticipantError as error:
                await self._after_failure(sample, delivery, error)
                return
        await publish_once(self.bus, self._ingested(sample))
        await publish_all(self.bus, await self._opened(sample))

    async def _add_chunks(self, job: OpenJob, sample: SamplePlanned, delivery: Delivery) -> bool:
        """False when the job ended on the way. Chunks of one sample are sent one after the other, as they happened."""
        pack = await self.packs.chunks(sample.job_id, sample.unit)
        done = await self._acknowledged(sample) if delivery.redelivered else 0
        client = await self.participants.client_of(job.requested)
        for index in range(done, len(pack.chunks)):
            if self.jobs.ended(sample.job_id):
                return False
            request = pack.chunks[index].request
            outcome = await client.add(request)
            unit = chunk_unit(sample.unit, index)
            subject = job_subject(sample.job_id, ChunkAdded, unit)
            added = ChunkAdded(
                at=self.clock.now_ms(),
                job_id=sample.job_id,
                unit=unit,
                sample=sample.unit,
                index=index,
                messages=len(request.messages),
                attempts=outcome.calls,
                latency=outcome.latency_us,
                received=outcome.received,
                attempt_log=await keep_attempts(
                    self.participants.evidence, sample.job_id, subject, "add", outcome.attempts
                ),
            )
            await publish_once(self.bus, added)
        return True

    async def _acknowledged(self, sample: SamplePlanned) -> int:
        """How many chunks have their fact. They are sent in order, so the boundary is found by bisection."""
        low, high = 0, sample.chunks
        while low < high:
            middle = (low + high) // 2
            subject = job_subject(sample.job_id, ChunkAdded, chunk_unit(sample.unit, middle))
            if await self.bus.last_event(subject) is None:
                high = middle
            else:
                low = middle + 1
        return low

    async def _after_failure(self, sample: SamplePlanned, delivery: Delivery, error: ParticipantError) -> None:
        job_id, reason = sample.job_id, error.unscored_reason
        log.warning("sample.add_failed", job_id=job_id, unit=sample.unit, layer=error.layer, reason=reason)
        policy, now_ms = self.participants.policy_of(job_id), self.clock.now_ms()
        decided = stop_or_requeue(sample, delivery, error, stage="ingest", policy=policy, now_ms=now_ms)
        if decided is not None:
            await publish_once(self.bus, await self._with_attempts(decided, error))
            return
        questions = await self.packs.questions(job_id, sample.unit)
        unscored = [self._unscored(sample, questions, i, error) for i in range(len(questions.units))]
        await publish_all(self.bus, [await self._with_attempts(each, error) for each in unscored[:1]] + unscored[1:])

    async def _with_attempts(self, failed: F, error: ParticipantError) -> F:
        return await with_attempts(self.participants.evidence, failed, "add", error.attempts)

    def _unscored(self, sample: SamplePlanned, pack: QuestionPack, index: int, error: ParticipantError) -> UnitUnscored:
        return UnitUnscored(
            at=self.clock.now_ms(),
            job_id=sample.job_id,
            unit=pack.units[index],
            sample=sample.unit,
            index=index,
            dataset=sample.dataset,
            category=pack.questions[index].category,
            stage="ingest",
            reason=error.unscored_reason,
            detail=str(error)[:DETAIL_LIMIT],
            attempts=error.calls,
            attempt_log=None,
        )

    def _ingested(self, sample: SamplePlanned) -> SampleIngested:
        return SampleIngested(at=self.clock.now_ms(), job_id=sample.job_id, unit=sample.unit, chunks=sample.chunks)

    async def _opened(self, sample: SamplePlanned) -> list[Event]:
        pack = await self.packs.questions(sample.job_id, sample.unit)
        now_ms = self.clock.now_ms()
        return [
            QuestionOpened(
                at=now_ms, job_id=sample.job_id, unit=unit, sample=sample.unit, index=index, dataset=sample.dataset
            )
            for index, unit in enumerate(pack.units)
        ]
