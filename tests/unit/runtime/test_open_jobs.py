"""Which jobs are open, from the stream's history and its present."""

import asyncio
from typing import cast

import pytest
from tests.factories.events import JOB, an_event

from aml.contracts.events import Event
from aml.contracts.jobs import JobCancelled, JobFailed, JobPlanned, JobRequested
from aml.contracts.seals import JobSealed
from aml.contracts.units import ChunkAdded
from aml.runtime.bus import Bus
from aml.runtime.open_jobs import OpenJob, OpenJobs

REQUESTED, PLANNED = an_event(JobRequested), an_event(JobPlanned)
ENDINGS = [an_event(event_type) for event_type in (JobFailed, JobCancelled, JobSealed)]
endings = pytest.mark.parametrize("ending", ENDINGS, ids=lambda event: type(event).__name__)


class Watched:
    def __init__(self) -> None:
        self.planned: list[OpenJob] = []
        self.ended: list[str] = []
        self.jobs = OpenJobs(cast("Bus", None), on_planned=self.planned.append, on_ended=self.ended.append)

    def apply(self, *events: Event) -> "Watched":
        for event in events:
            self.jobs.apply(event)
        return self


async def test_a_requested_job_is_open_and_not_yet_ready() -> None:
    watched = Watched().apply(REQUESTED)
    assert await watched.jobs.get(JOB) == OpenJob(REQUESTED)
    assert watched.planned == []


async def test_a_planned_job_is_ready_once() -> None:
    watched = Watched().apply(REQUESTED, PLANNED, PLANNED)
    assert watched.planned == [OpenJob(REQUESTED, PLANNED)]
    assert await watched.jobs.get(JOB) == OpenJob(REQUESTED, PLANNED)


@endings
async def test_an_ended_job_is_not_open(ending: Event) -> None:
    watched = Watched().apply(REQUESTED, PLANNED, ending)
    assert watched.ended == [JOB]
    assert watched.jobs.ended(JOB)
    assert await watched.jobs.get(JOB) is None


@endings
async def test_reading_the_history_again_changes_nothing(ending: Event) -> None:
    history = (REQUESTED, PLANNED, an_event(ChunkAdded), ending)
    watched = Watched().apply(*history, *history)
    assert (len(watched.planned), watched.ended) == (1, [JOB])


async def test_a_job_that_failed_and_was_then_sealed_ends_once() -> None:
    watched = Watched().apply(REQUESTED, *ENDINGS)
    assert watched.ended == [JOB]


async def test_an_end_that_is_seen_before_its_request_keeps_the_job_closed() -> None:
    watched = Watched().apply(ENDINGS[0], REQUESTED, PLANNED)
    assert watched.planned == []
    assert await watched.jobs.get(JOB) is None


async def test_a_unit_may_come_before_its_job_is_known() -> None:
    watched = Watched()
    waiting = asyncio.ensure_future(watched.jobs.get(JOB))
    await asyncio.sleep(0)
    watched.apply(an_event(JobRequested, job_id="job-other"))
    await asyncio.sleep(0)
    assert not waiting.done()
    watched.apply(REQUESTED)
    assert await waiting == OpenJob(REQUESTED)


async def test_patience_ends() -> None:
    assert await Watched().jobs.get(JOB, patience_seconds=0.01) is None
