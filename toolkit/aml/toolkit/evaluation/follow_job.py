"""Waiting for a job by following its real state, and noticing when it stands still."""

import asyncio
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from aml.gateway.jobs.views import Job, StageName, StageProgress
from aml.gateway.results.views import Results
from aml.toolkit.platform import Platform, PlatformRefused

from .errors import EvaluationError

POLL_SECONDS: Final = 0.2
PARKED_PATIENCE_SECONDS: Final = 10.0
PLATFORM_STALL_SECONDS: Final = 60.0
"""Without any change in a stage that is the platform's alone."""
RESULTS_SECONDS: Final = 30.0

_SERVICE_OF: Final = {
    "queued": "ingest",
    "ingest": "ingest",
    "retrieval": "retrieval",
    "answer": "judge",
    "scoring": "judge",
    "aggregation": "ledger",
    "ended": "gateway",
}
"""Stage to the service whose log says why nothing happens."""


_PLATFORM_STAGES: Final = ("queued", "aggregation")


class JobStalled(EvaluationError):
    def __init__(self, job: Job, seconds: float, logs: Path) -> None:
        done = stage_progress(job)
        place = f"stage {job.stage}" + (f" ({done.done} of {done.total})" if done and done.total is not None else "")
        super().__init__(
            f"job {job.job_id} ({job.system}, {job.mode}) has stood still for {seconds:.0f} s in {place}; "
            f"see {logs / _SERVICE_OF[job.stage]}.log"
        )
        self.job = job
        self.seconds = seconds


class JobParked(EvaluationError):
    def __init__(self, job: Job, stage: str, error: str, logs: Path) -> None:
        service = _SERVICE_OF.get(stage, stage)
        super().__init__(
            f"{job.parked} units of job {job.job_id} could not be handled in stage {stage} ({error}); see "
            f"{logs / service}.log, then POST /api/v1/operator/jobs/{job.job_id}/requeue and resume, or cancel the job"
        )
        self.job = job


class Patience(Struct, frozen=True, kw_only=True):
    """`stall_seconds`: without any change. Infinite by default, as one call to a participant may take half an hour."""

    logs: Path
    stall_seconds: float = math.inf
    poll_seconds: float = POLL_SECONDS

    def limit(self, stage: StageName) -> float:
        return min(self.stall_seconds, PLATFORM_STALL_SECONDS if stage in _PLATFORM_STAGES else math.inf)


async def follow_job(platform: Platform, job_id: str, *, patience: Patience, on_change: Callable[[Job], None]) -> Job:
    """Returns the job once its gate has decided, or it was cancelled. Raises `JobStalled`, `JobParked`, `PlatformError`."""
    last, since = b"", time.monotonic()
    while True:
        job = await platform.job(job_id)
        now = _observable(job)
        if now != last:
            last, since = now, time.monotonic()
        on_change(job)
        if job.stage == "ended":
            return job
        still = time.monotonic() - since
        if job.parked and still > PARKED_PATIENCE_SECONDS:
            await _raise_parked(platform, job, patience)
        if still > patience.limit(job.stage):
            raise JobStalled(job, still, patience.logs)
        await asyncio.sleep(patience.poll_seconds)


async def await_results(platform: Platform, job_id: str, *, poll_seconds: float = POLL_SECONDS) -> Results | None:
    """None where the gate has not decided in time, as may be after a cancellation."""
    deadline = time.monotonic() + RESULTS_SECONDS
    while True:
        try:
            return await platform.results(job_id)
        except PlatformRefused as refused:
            if refused.reason != "results_not_ready":
                raise
            if time.monotonic() > deadline:
                return None
        await asyncio.sleep(poll_seconds)


def stage_progress(job: Job) -> StageProgress | None:
    return next((each for each in job.stages if each.stage == job.stage), None)


def _observable(job: Job) -> bytes:
    """The job without what changes by the mere passing of time."""
    return msgspec.json.encode(
        msgspec.structs.replace(job, heartbeat_age_seconds=None, rate_per_second=None, eta_seconds=None)
    )


async def _raise_parked(platform: Platform, job: Job, patience: Patience) -> None:
    found = (await platform.parked(job.job_id)).parked  # empty when an operator was faster
    if found:
        raise JobParked(job, found[0].stage, found[0].error, patience.logs)
