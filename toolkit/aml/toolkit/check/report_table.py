"""A report for people: a row for each check, and below it everything about those that did not pass."""

from collections.abc import Iterable
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from aml.contracts.doctor import CheckReport, DoctorReport
from aml.toolkit.plain_line import print_line

_STYLES: Final = {"passed": "green", "failed": "bold red", "warning": "yellow", "skipped": "dim"}


def print_report(console: Console, report: DoctorReport) -> None:
    """Checks that were not tried because of another one's failure share one line."""
    told = [check for check in report.checks if not check.code.startswith("needs_")]
    console.print(_table(told))
    for check in told:
        if check.outcome in ("failed", "warning"):
            _print_details(console, check)
    if len(told) == 1:
        print_line(console, "nothing else was tried")
    elif untried := [check.name for check in report.checks if check not in told]:
        print_line(console, f"not tried, since they build on what failed: {', '.join(untried)}")
    print_line(console, "")
    print_line(console, summary(report))


def summary(report: DoctorReport) -> str:
    counts = {outcome: sum(check.outcome == outcome for check in report.checks) for outcome in _STYLES}
    counted = ", ".join(f"{count} {outcome}" for outcome, count in counts.items() if count)
    calls = sum(check.calls for check in report.checks)
    verdict = "the contract is kept" if report.passed else "the contract is broken"
    return f"{verdict}: {counted} ({calls} calls in {report.took / 1_000_000:.1f} s, ids eval:doctor-{report.run}:…)"


def _table(checks: Iterable[CheckReport]) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in ("outcome", "check", "what was found"):
        table.add_column(heading, no_wrap=heading != "what was found")
    for check in checks:
        outcome = Text(check.outcome, style=_STYLES[check.outcome])
        table.add_row(outcome, Text(check.name), Text(f"{check.title}: {check.finding}"))
    return table


def _print_details(console: Console, check: CheckReport) -> None:
    code = "" if check.code == "ok" else f" ({check.code})"
    console.print()
    console.print(Text(f"{check.outcome} {check.name}{code}", style=_STYLES[check.outcome]))
    for heading, text in (
        ("found", check.finding),
        ("sent", check.sent),
        ("received", check.received),
        ("why", check.why),
        ("mend", check.mend),
    ):
        if text:
            console.print(Text(f"  {heading:<9}{text}"), soft_wrap=True)
