"""The check as an application holds it: cached, scheduled, never two at once."""

import asyncio
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
from prometheus_client import CollectorRegistry
from tests.factories.suite_results import a_question, a_result

from aml.toolkit.agents import NotAnAgent
from aml.toolkit.health import MemoryHealthCheck, Schedule
from aml.toolkit.results import SuiteResult


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 5, 4, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


class Measurements:
    """What the suite gives, one after the other; `gate` holds each of them back."""

    def __init__(self, *outcomes: float | Exception) -> None:
        self.outcomes = list(outcomes)
        self.begun = self.running = self.most = 0
        self.gate = asyncio.Event()
        self.gate.set()

    async def __call__(self) -> SuiteResult:
        self.begun += 1
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            await self.gate.wait()
            outcome = self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]
            if isinstance(outcome, Exception):
                raise outcome
            return a_result([a_question("basic_retention", outcome)])
        finally:
            self.running -= 1


def diary(message: str) -> str:
    return message


def a_check(measurements: Measurements, **changes: Any) -> MemoryHealthCheck:
    values: dict[str, Any] = {"evaluate": measurements, "schedule": Schedule(jitter=0), "random": Random(1)}
    return MemoryHealthCheck(diary, **(values | changes))


async def test_it_measures_when_due_and_answers_from_memory_between() -> None:
    clock, measurements = Clock(), Measurements(100.0, 50.0)
    check = a_check(measurements, clock=clock)
    assert check.report().status == "unknown"
    assert (await check.check()).status == "healthy"
    clock.now += timedelta(hours=23)
    assert (await check.check()).status == "healthy"
    assert measurements.begun == 1
    clock.now += timedelta(hours=1)
    assert (await check.check()).status == "unhealthy"
    assert measurements.begun == 2


async def test_callers_at_once_share_one_measurement() -> None:
    measurements = Measurements(100.0)
    measurements.gate.clear()
    check = a_check(measurements)
    waiting = [asyncio.create_task(check.check(fresh=True)) for _ in range(5)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    measurements.gate.set()
    found = await asyncio.gather(*waiting[1:])
    assert [each.status for each in found] == ["healthy"] * 4
    assert (measurements.begun, measurements.most) == (1, 1)


async def test_a_failed_measurement_is_a_reason_and_is_tried_again_soon() -> None:
    clock, measurements = Clock(), Measurements(OSError("no space left"), 100.0)
    check = a_check(measurements, clock=clock)
    found = await check.check()
    assert found.status == "unknown"
    assert found.reasons == ("the check itself failed: OSError: no space left",)
    assert check.due == clock.now + timedelta(minutes=15)
    clock.now += timedelta(minutes=15)
    assert (await check.check()).status == "healthy"


async def test_scheduled_checks_run_until_the_context_ends() -> None:
    measurements = Measurements(100.0)
    check = a_check(measurements, schedule=Schedule(every=timedelta(milliseconds=5), jitter=0))
    async with check.scheduled(), asyncio.timeout(5):
        while measurements.begun < 3:
            await asyncio.sleep(0.001)
    after = measurements.begun
    await asyncio.sleep(0.02)
    assert measurements.begun == after
    assert measurements.most == 1


async def test_the_end_of_the_context_ends_a_measurement_that_is_under_way() -> None:
    measurements = Measurements(100.0)
    measurements.gate.clear()
    check = a_check(measurements)
    async with check.scheduled():
        while not measurements.begun:
            await asyncio.sleep(0)
    assert measurements.running == 0
    assert check.report().status == "unknown"


async def test_gauges_show_the_last_check() -> None:
    registry = CollectorRegistry()
    check = a_check(Measurements(70.0, OSError("x")), registry=registry)
    assert registry.get_sample_value("aml_memory_health_status", {"agent": "diary", "status": "unknown"}) == 1
    assert registry.get_sample_value("aml_memory_health_overall", {"agent": "diary"}) is None
    await check.check()
    await check.check(fresh=True)
    label = {"agent": "diary"}
    assert registry.get_sample_value("aml_memory_health_status", label | {"status": "degraded"}) == 1
    assert registry.get_sample_value("aml_memory_health_status", label | {"status": "unknown"}) == 0
    assert registry.get_sample_value("aml_memory_health_overall", label) == 70
    category = label | {"category": "basic_retention"}
    assert registry.get_sample_value("aml_memory_health_category_score", category) == 70
    assert registry.get_sample_value("aml_memory_health_checks_total", label | {"status": "degraded"}) == 1
    assert registry.get_sample_value("aml_memory_health_checks_total", label | {"status": "unknown"}) == 1


async def test_a_report_is_plain_data() -> None:
    check = a_check(Measurements(100.0))
    shown = (await check.check()).to_dict()
    assert shown["status"] == "healthy"
    assert shown["categories"] == [{"category": "basic_retention", "score": 100.0, "scored": 1, "planned": 1}]


def test_what_is_no_agent_is_refused_at_once() -> None:
    with pytest.raises(NotAnAgent):
        MemoryHealthCheck(object())
