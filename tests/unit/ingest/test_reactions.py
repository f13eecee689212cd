"""Which jobs are examined, and which are planned, and when."""

from typing import Any

import pytest
from tests.factories.events import JOB, an_event

from aml.contracts.doctor import ContractChecked
from aml.contracts.events import Event
from aml.contracts.jobs import JobRequested
from aml.ingest.reactions import Reactions
from aml.rules.identity import subject_of
from aml.runtime.clock import FixedClock


class World:
    def __init__(self, requested: JobRequested, *, ended: bool = False) -> None:
        self.done: list[str] = []
        self._events = {subject_of(requested): requested}
        self._ended = ended
        parts: Any = self
        self.reactions = Reactions(bus=parts, clock=FixedClock(1), jobs=parts, planner=parts, checker=parts)

    def ended(self, _: str) -> bool:
        return self._ended

    async def last_event(self, subject: str) -> Event | None:
        return self._events.get(subject)

    async def plan(self, requested: JobRequested) -> None:
        self.done.append(f"planned {requested.job_id}")

    async def check(self, requested: JobRequested) -> None:
        self.done.append(f"examined {requested.job_id}")

    async def receive(self, event: Event) -> list[str]:
        """As each of the reactors would get it."""
        if isinstance(event, ContractChecked):
            await self.reactions._plan_checked(event)
        else:
            await self.reactions._plan(event)
            await self.reactions._check(event)
        return self.done


@pytest.mark.parametrize(
    "changes",
    [{"mode": "full"}, {"mode": "run"}, {"mode": "smoke", "arm": "no_memory"}, {"mode": "full", "arm": "oracle"}],
)
async def test_only_a_participants_smoke_waits_for_the_doctor(changes: dict[str, str]) -> None:
    requested = an_event(JobRequested, **changes)
    assert await World(requested).receive(requested) == [f"planned {JOB}"]


async def test_a_smoke_is_examined_and_planned_when_it_passed() -> None:
    requested = an_event(JobRequested, mode="smoke")
    world = World(requested)
    assert await world.receive(requested) == [f"examined {JOB}"]
    assert await world.receive(an_event(ContractChecked, passed=True)) == [f"examined {JOB}", f"planned {JOB}"]


async def test_a_smoke_that_broke_the_contract_is_not_planned() -> None:
    requested = an_event(JobRequested, mode="smoke")
    assert await World(requested).receive(an_event(ContractChecked, passed=False)) == []


@pytest.mark.parametrize("event", [an_event(JobRequested, mode="smoke"), an_event(ContractChecked, passed=True)])
async def test_a_job_that_ended_meanwhile_is_left_alone(event: Event) -> None:
    assert await World(an_event(JobRequested, mode="smoke"), ended=True).receive(event) == []
