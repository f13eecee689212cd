"""Runs the checks one after the other and writes the report. A check's failure is a finding, never an exception."""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Final

from aml.contracts.doctor import CheckReport, DoctorReport
from aml.contracts.participant import CONTRACT_VERSION
from aml.contracts.release import RetryPolicy
from aml.runtime.clock import Clock
from aml.runtime.participant.errors import ParticipantError

from .check import Check, Finding, failed, skipped, warned
from .checks import CHECKS
from .visit import Call, Connect, RestartFailed, Subject, Visit

BUDGET_SECONDS: Final = 300.0
PATIENCE: Final = RetryPolicy(attempts=3, base_seconds=0.2, cap_seconds=2.0)
"""Of one call, for the clients that the doctor is given: busy for a moment is not broken, and dead is told at once."""


async def examine(
    subject: Subject,
    connect: Connect,
    *,
    run: str,
    clock: Clock,
    checks: Sequence[Check] = CHECKS,
    budget_seconds: float = BUDGET_SECONDS,
    on_report: Callable[[CheckReport], None] = lambda _: None,
) -> DoctorReport:
    """`run` must be new for each visit: ids that were sent before would make the probes lie.

    What does not fit into the budget is skipped, since a slow system is not a broken one.
    """
    visit = Visit(subject, connect, run)
    started_ms, started = clock.now_ms(), time.perf_counter()
    reports: list[CheckReport] = []
    try:
        for check in checks:
            left = budget_seconds - (time.perf_counter() - started)
            report = await _report(check, visit, reports, left)
            reports.append(report)
            on_report(report)
    finally:
        await visit.close()
    return DoctorReport(
        contract=CONTRACT_VERSION,
        track=subject.track,
        run=run,
        started=started_ms,
        took=_micros(started),
        passed=not any(report.outcome == "failed" for report in reports),
        checks=tuple(reports),
    )


def first_failure(report: DoctorReport) -> str | None:
    """The line for whoever must mend it."""
    for check in report.checks:
        if check.outcome == "failed":
            return f"contract check {check.name} ({check.code}): {check.finding}. {check.mend}"
    return None


async def _report(check: Check, visit: Visit, earlier: Sequence[CheckReport], left: float) -> CheckReport:
    visit.begin_check()
    started = time.perf_counter()
    about: Call | None = None
    if (missing := _unmet(check, earlier)) is not None:
        finding = skipped(f"needs_{missing}", f"not tried, since {missing} did not pass")
    elif left <= 0:
        finding = skipped("out_of_time", "not tried, since the time for all checks was used up")
    else:
        try:
            async with asyncio.timeout(left):
                finding = await check.run(visit)
            about = finding.about or visit.last
        except ParticipantError as error:
            finding, about = _finding_of(error, check, visit), visit.failing
        except RestartFailed as error:
            finding = skipped("restart_failed", str(error))
        except TimeoutError:
            finding = skipped("out_of_time", "not finished within the time for all checks")
    return CheckReport(
        name=check.name,
        title=check.title,
        outcome=finding.outcome,
        code=finding.code,
        finding=visit.shown(finding.text),
        sent=about.sent if about is not None else "",
        received=about.received if about is not None else "",
        why=check.why,
        mend=_mend(check, finding),
        calls=visit.calls,
        latency=about.latency_us if about is not None else None,
        took=_micros(started),
    )


def _unmet(check: Check, earlier: Sequence[CheckReport]) -> str | None:
    bad = {report.name for report in earlier if report.outcome in ("failed", "skipped")}
    return next((name for name in check.needs if name in bad), None)


def _finding_of(error: ParticipantError, check: Check, visit: Visit) -> Finding:
    end = warned if check.informs else failed
    place = f" at {error.path}" if error.path else ""
    page = error.excerpt.lstrip().startswith("<")
    mend = "that is a web page and not Add or Search; check the URL's path" if page else error.advice
    return end(error.layer, f"{error.problem}{place}", mend=mend, about=visit.failing)


def _mend(check: Check, finding: Finding) -> str:
    if finding.outcome == "passed":
        return ""
    return check.mend if finding.mend is None else finding.mend


def _micros(started: float) -> int:
    return round((time.perf_counter() - started) * 1_000_000)
