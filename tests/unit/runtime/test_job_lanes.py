import asyncio
from typing import cast

import pytest
from tests.factories.events import JOB, an_event

from aml.contracts.jobs import JobRequested
from aml.contracts.units import QuestionOpened
from aml.runtime import job_lanes
from aml.runtime.bus import Bus
from aml.runtime.job_lanes import JobLanes
from aml.runtime.lane import Lane
from aml.runtime.open_jobs import OpenJob

OPEN = OpenJob(an_event(JobRequested))


class FakeLane:
    def __init__(self, failures: int = 0) -> None:
        self.failures = failures
        self.started = asyncio.Event()

    async def run(self, stop: asyncio.Event) -> None:
        if self.failures:
            self.failures -= 1
            raise RuntimeError("unforeseen")
        self.started.set()
        await stop.wait()


def lanes_of(lane: FakeLane, made: list[str]) -> JobLanes[QuestionOpened]:
    def lane_of(_: OpenJob, durable: str) -> Lane[QuestionOpened]:
        made.append(durable)
        return cast("Lane[QuestionOpened]", lane)

    return JobLanes(cast("Bus", None), lane_of, prefix="retrieval")


async def test_a_job_has_one_lane_named_after_it() -> None:
    made: list[str] = []
    lanes = lanes_of(FakeLane(), made)
    lanes.start(OPEN)
    lanes.start(OPEN)
    await lanes.stop_all()
    assert made == [f"retrieval-{JOB}"]


async def test_a_lane_that_fails_is_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_lanes, "_AGAIN_SECONDS", 0.0)
    lane = FakeLane(failures=2)
    lanes = lanes_of(lane, [])
    lanes.start(OPEN)
    await asyncio.wait_for(lane.started.wait(), 1.0)
    await lanes.stop_all()
    assert lane.failures == 0


async def test_an_ended_job_has_its_consumer_deleted(monkeypatch: pytest.MonkeyPatch) -> None:
    deleted: list[str] = []

    async def delete(_: Bus, durable: str) -> None:
        deleted.append(durable)

    monkeypatch.setattr(job_lanes, "delete_consumer", delete)
    lanes = lanes_of(FakeLane(), [])
    lanes.start(OPEN)
    lanes.end(JOB)
    await lanes.stop_all()
    assert deleted == [f"retrieval-{JOB}"]


async def test_a_job_that_is_planned_while_the_process_stops_is_left_to_the_next_one() -> None:
    made: list[str] = []
    lanes = lanes_of(FakeLane(), made)
    await lanes.stop_all()
    lanes.start(OPEN)
    assert made == []
