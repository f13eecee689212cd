"""`MemoryHealthCheck`: asks a live agent a small suite now and then, and answers at once with what it last found."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from random import Random
from typing import Any

from prometheus_client import CollectorRegistry

from aml.toolkit.agents.as_agent import as_agent
from aml.toolkit.results import SuiteResult
from aml.toolkit.suite_run.suite import Suite

from .decision import CheckFailed, Measured, Thresholds, decide_health
from .gauges import HealthGauges
from .report import HealthReport
from .schedule import Schedule

Evaluate = Callable[[], Awaitable[SuiteResult]]


def _utc_now() -> datetime:
    return datetime.now(UTC)


class MemoryHealthCheck:
    """`check()` measures where that is due, `report()` never does; two measurements never run at once in a process.

    `options` are those of `Suite.run`, such as `stack=` and `mode=`. The agent is asked beside its real users, so give an
    `AgentFactory`, or one that forks, whose memories are its own. `evaluate` replaces the suite's run.
    """

    def __init__(
        self,
        agent: Any,
        *,
        suite: Suite = Suite.QUICK,
        limit: int | None = 2,
        thresholds: Thresholds | None = None,
        schedule: Schedule | None = None,
        name: str | None = None,
        registry: CollectorRegistry | None = None,
        evaluate: Evaluate | None = None,
        random: Random | None = None,
        clock: Callable[[], datetime] = _utc_now,
        **options: Any,
    ) -> None:
        """`limit`: scenarios a category. `registry`: None for no gauges. Raises `NotAnAgent`."""
        self.name = name or as_agent(agent).name
        self.thresholds = thresholds or Thresholds()
        self.schedule = schedule or Schedule()
        self._evaluate: Evaluate = evaluate or partial(suite.run, agent, limit=limit, **options)
        self._random = random or Random()  # noqa: S311 - spreads load; guards nothing
        self._clock = clock
        self._gauges = None if registry is None else HealthGauges(registry)
        self._last: Measured | None = None
        self._failure: CheckFailed | None = None
        self._due: datetime | None = None
        self._running: asyncio.Task[None] | None = None
        self._show()

    @property
    def due(self) -> datetime | None:
        """None before the first measurement, which is due at once."""
        return self._due

    @property
    def last_result(self) -> SuiteResult | None:
        return None if self._last is None else self._last.result

    def report(self) -> HealthReport:
        """What was last found, as of now; measures nothing."""
        return decide_health(self._last, self._failure, self.thresholds, self._clock())

    async def check(self, *, fresh: bool = False) -> HealthReport:
        """Measures where that is due, or `fresh` is wanted; who comes meanwhile waits for the same measurement.

        Raises nothing of the measurement's: its failure is a reason in the report.
        """
        if self._running is None and (fresh or self._due is None or self._clock() >= self._due):
            self._running = asyncio.create_task(self._measure(), name=f"memory health of {self.name}")
        if self._running is not None:
            await asyncio.shield(self._running)  # one caller's timeout is not the others'
        return self.report()

    async def keep_checking(self) -> None:
        """Measures whenever it is due, until it is cancelled."""
        while True:
            await self.check()
            assert self._due is not None
            await asyncio.sleep(max(0.0, (self._due - self._clock()).total_seconds()))

    @asynccontextmanager
    async def scheduled(self) -> AsyncIterator["MemoryHealthCheck"]:
        """Checks in the background for as long as the context lasts: an application's lifespan."""
        checking = asyncio.create_task(self.keep_checking(), name=f"memory health of {self.name}, scheduled")
        try:
            yield self
        finally:
            await self._end(checking)
            if self._running is not None:
                await self._end(self._running)

    async def _measure(self) -> None:
        failed = True
        try:
            result = await self._evaluate()
            self._last, self._failure, failed = Measured(at=self._clock(), result=result), None, False
        except Exception as error:  # noqa: BLE001 - whatever keeps it from measuring becomes a reason, not the application's error
            said = " ".join(str(error).split())
            self._failure = CheckFailed(at=self._clock(), problem=f"{type(error).__name__}: {said}")
        finally:
            self._due = self.schedule.next_due(self._clock(), failed=failed, random=self._random)
            self._running = None
        if self._gauges is not None:
            self._gauges.count(self.name, "unknown" if failed else self.report().status)
        self._show()

    def _show(self) -> None:
        if self._gauges is not None:
            self._gauges.show(self.name, self.report())

    async def _end(self, task: "asyncio.Task[None]") -> None:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
