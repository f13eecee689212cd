"""A visit of the contract doctor to a server inside the test."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from aml.contracts.doctor import CheckReport, DoctorReport
from aml.contracts.participant import CallLimits, ParticipantTarget
from aml.contracts.release import RetryPolicy
from aml.runtime.clock import SystemClock
from aml.runtime.doctor import CHECKS, Check, Connect, Subject, examine
from aml.runtime.participant import ParticipantClient
from aml.runtime.secret import Secret

KEY = "sk-visit-0123456789"
RUN = "7f3a"


@asynccontextmanager
async def serving(application: web.Application) -> AsyncIterator[str]:
    runner = web.AppRunner(application, access_log=None, handle_signals=False, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def connecting(*, multimodal: bool = False) -> Connect:
    def connect(target: ParticipantTarget, secret: Secret | None) -> ParticipantClient:
        return ParticipantClient(
            target,
            secret=secret,
            policy=RetryPolicy(attempts=6, base_seconds=0.02, cap_seconds=0.1),
            limits=CallLimits(connect_seconds=2, first_byte_seconds=5, total_seconds=5, max_response_bytes=1 << 22),
            schemes=("http", "https"),
            allow_private=True,
            chance=lambda: 0.7,
            multimodal=multimodal,
        )

    return connect


async def visit(
    base: str, *, key: str | None = None, checks: Sequence[Check] = CHECKS, budget_seconds: float = 60, **options: Any
) -> DoctorReport:
    subject = Subject(
        target=ParticipantTarget(
            add_url=f"{base}/add",
            search_url=f"{base}/search",
            health_url=f"{base}/health",
            auth="none" if key is None else "bearer",
        ),
        secret=None if key is None else Secret(key),
        **options,
    )
    multimodal = options.get("track") == "multimodal"
    return await examine(
        subject,
        connecting(multimodal=multimodal),
        run=RUN,
        clock=SystemClock(),
        checks=checks,
        budget_seconds=budget_seconds,
    )


@dataclass(frozen=True)
class Found:
    """The checks that did not pass, without those that were skipped."""

    report: DoctorReport

    @property
    def faults(self) -> dict[str, tuple[str, str]]:
        return {
            each.name: (each.outcome, each.code) for each in self.report.checks if each.outcome in ("failed", "warning")
        }

    def of(self, name: str) -> CheckReport:
        return next(each for each in self.report.checks if each.name == name)
