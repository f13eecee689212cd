"""JobRequested → JobPlanned and a SamplePlanned for each conversation, or JobFailed with the file, record and field."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import structlog

from aml.contracts.fair_play import CanaryPlanned
from aml.contracts.jobs import DatasetPlan, JobFailed, JobPlanned, JobRequested
from aml.contracts.release import Release
from aml.contracts.units import SamplePlanned
from aml.rules.identity import event_id_at, job_subject
from aml.rules.requeue import DETAIL_LIMIT
from aml.runtime.bus import Bus
from aml.runtime.clock import Clock
from aml.runtime.evidence import EvidenceStore
from aml.runtime.publish_once import publish_once
from aml.runtime.release_folder import ReleaseError

from .benchmarks.errors import BenchmarkError
from .dataset_folder import bundle_path
from .errors import IngestError, PipelineMismatch, ReleaseMismatch, ReleaseUnusable
from .plan_canary import canary_beside, choose_probed
from .plan_dataset import PlannedDataset
from .plan_sample import PlannedSample

log = structlog.get_logger()


@dataclass(frozen=True)
class JobPlanner:
    bus: Bus
    evidence: EvidenceStore
    clock: Clock
    datasets: Path
    pipeline: str
    release_of: Callable[[str], tuple[Release, str]]
    """Release id to the release and its digest. Raises `ReleaseError`."""

    async def plan(self, requested: JobRequested) -> None:
        """Idempotent: packs are deterministic, so planning again after a crash states the same facts."""
        try:
            await self._plan(requested)
        except (BenchmarkError, IngestError) as error:
            log.warning("job.refused", job_id=requested.job_id, error=type(error).__name__)
            failed = JobFailed(
                at=self.clock.now_ms(),
                job_id=requested.job_id,
                stage="ingest",
                reason="internal",
                detail=str(error).replace(f"{self.datasets}/", "")[:DETAIL_LIMIT],  # where this server keeps it is ours
                attempt_log=None,
            )
            await publish_once(self.bus, failed)

    async def _plan(self, requested: JobRequested) -> None:
        release = self._release(requested)
        datasets = [
            await asyncio.to_thread(
                PlannedDataset,
                pin,
                bundle_path(self.datasets, pin),
                job_id=requested.job_id,
                chunking=release.chunking,
            )
            for pin in requested.datasets
        ]
        plans = [await asyncio.to_thread(dataset.plan) for dataset in datasets]
        await publish_once(self.bus, self._job_planned(requested, plans))
        users: dict[str, str] = {}
        for dataset, plan in zip(datasets, plans, strict=True):
            samples = iter(dataset.samples())
            while (sample := await asyncio.to_thread(_next, samples)) is not None:
                await publish_once(self.bus, await self._sample_planned(requested, plan.name, sample))
                users[sample.unit] = sample.user_id
        if requested.mode == "full" and requested.arm == "participant":
            for unit in choose_probed(requested.job_id, users, release.fair_play.canaries):
                await publish_once(self.bus, await self._canary_planned(requested, unit, users[unit]))
        log.info("job.planned", job_id=requested.job_id, questions=sum(plan.questions for plan in plans))

    def _release(self, requested: JobRequested) -> Release:
        if requested.pipeline_digest != self.pipeline:
            raise PipelineMismatch(requested.pipeline_digest, self.pipeline)
        try:
            release, digest = self.release_of(requested.release_id)
        except ReleaseError as error:
            raise ReleaseUnusable(requested.release_id, error.problem) from None
        if digest != requested.release_digest:
            raise ReleaseMismatch(requested.release_id, requested.release_digest, digest)
        return release

    def _job_planned(self, requested: JobRequested, plans: list[DatasetPlan]) -> JobPlanned:
        writes = requested.arm == "participant"
        return JobPlanned(
            at=self.clock.now_ms(),
            job_id=requested.job_id,
            release_digest=requested.release_digest,
            pipeline_digest=self.pipeline,
            datasets=tuple(plans),
            samples=sum(plan.samples for plan in plans),
            chunks=sum(plan.chunks for plan in plans) if writes else 0,
            questions=sum(plan.questions for plan in plans),
            add_concurrency=requested.add_concurrency,
            search_concurrency=requested.search_concurrency,
        )

    async def _sample_planned(self, requested: JobRequested, dataset: str, sample: PlannedSample) -> SamplePlanned:
        job_id = requested.job_id
        cited_by = event_id_at(job_subject(job_id, SamplePlanned, sample.unit))
        return SamplePlanned(
            at=self.clock.now_ms(),
            job_id=job_id,
            unit=sample.unit,
            dataset=dataset,
            sample_id=sample.user_id.removeprefix(f"eval:{job_id}:{dataset}:"),
            user_id=sample.user_id,
            chunks=len(sample.chunks.chunks) if requested.arm == "participant" else 0,
            questions=len(sample.questions.questions),
            chunk_pack=await self.evidence.put_json(job_id, cited_by, sample.chunks),
            question_pack=await self.evidence.put_json(job_id, cited_by, sample.questions),
            gold_pack=await self.evidence.put_json(job_id, cited_by, sample.gold),
        )

    async def _canary_planned(self, requested: JobRequested, sample: str, user_id: str) -> CanaryPlanned:
        job_id, unit = requested.job_id, f"{sample}-canary"
        canary = canary_beside(job_id, sample, user_id, requested.top_k)
        cited_by = event_id_at(job_subject(job_id, CanaryPlanned, unit))
        ref = await self.evidence.put_json(job_id, cited_by, canary)
        return CanaryPlanned(at=self.clock.now_ms(), job_id=job_id, unit=unit, sample=sample, canary=ref)


def _next(samples: Iterator[PlannedSample]) -> PlannedSample | None:
    return next(samples, None)
