"""Which checks run, in which order, and what becomes of their ends."""

import asyncio
from typing import Any

from tests.factories.doctor_visits import RUN

from aml.contracts.participant import ParticipantTarget
from aml.runtime.clock import SystemClock
from aml.runtime.doctor import CHECKS, Check, Finding, RestartFailed, Subject, Visit, examine, first_failure
from aml.runtime.doctor.check import failed, passed, warned
from aml.runtime.participant import SchemaViolated

TARGET = ParticipantTarget(add_url="http://127.0.0.1:9/add", search_url="http://127.0.0.1:9/search")


def a_check(name: str, end: Finding | Exception, *, needs: tuple[str, ...] = (), **changes: Any) -> Check:
    async def run(_: Visit) -> Finding:
        if isinstance(end, Exception):
            raise end
        return end

    return Check(**({"name": name, "title": name, "why": "why", "mend": "mend", "run": run, "needs": needs} | changes))


async def examined(*checks: Check, **options: Any) -> Any:
    def connect(*_: Any) -> Any:
        raise AssertionError("nothing is called here")

    subject = Subject(target=TARGET, secret=None)
    return await examine(subject, connect, run=RUN, clock=SystemClock(), checks=checks, **options)


def ends(report: Any) -> list[tuple[str, str, str]]:
    return [(check.name, check.outcome, check.code) for check in report.checks]


async def test_a_check_waits_for_the_ones_that_it_needs() -> None:
    report = await examined(
        a_check("one", failed("broken", "it broke")),
        a_check("two", passed("fine"), needs=("one",)),
        a_check("three", passed("fine"), needs=("two",)),
        a_check("four", passed("fine")),
    )
    assert ends(report) == [
        ("one", "failed", "broken"),
        ("two", "skipped", "needs_one"),
        ("three", "skipped", "needs_two"),
        ("four", "passed", "ok"),
    ]
    assert not report.passed
    assert first_failure(report) == "contract check one (broken): it broke. mend"


async def test_a_warning_holds_up_nobody_and_breaks_nothing() -> None:
    report = await examined(a_check("one", warned("odd", "it is odd")), a_check("two", passed("ok"), needs=("one",)))
    assert ends(report) == [("one", "warning", "odd"), ("two", "passed", "ok")]
    assert report.passed
    assert first_failure(report) is None


async def test_a_failing_call_is_a_finding_and_a_warning_where_the_check_only_informs() -> None:
    error = SchemaViolated("data is missing", path="$.data")
    report = await examined(a_check("one", error), a_check("two", error, informs=True))
    assert ends(report) == [("one", "failed", "schema"), ("two", "warning", "schema")]
    assert report.checks[0].finding == "data is missing at $.data"
    assert report.checks[0].mend == SchemaViolated.default_advice


async def test_a_restart_that_could_not_be_made_says_nothing_about_the_participant() -> None:
    report = await examined(a_check("restart", RestartFailed("no such command")))
    assert ends(report) == [("restart", "skipped", "restart_failed")]
    assert report.passed


async def test_what_takes_longer_than_the_budget_is_skipped_and_so_is_what_follows() -> None:
    async def run(_: Visit) -> Finding:
        await asyncio.sleep(60)
        raise AssertionError

    slow = Check(name="slow", title="", why="", mend="", run=run, needs=())
    report = await examined(slow, a_check("next", passed("ok")), budget_seconds=0.05)
    assert ends(report) == [("slow", "skipped", "out_of_time"), ("next", "skipped", "out_of_time")]
    assert report.passed


async def test_each_report_is_told_as_it_comes() -> None:
    told: list[str] = []
    await examined(
        a_check("one", passed("")), a_check("two", passed("")), on_report=lambda check: told.append(check.name)
    )
    assert told == ["one", "two"]


def test_every_check_needs_only_what_runs_before_it() -> None:
    before: set[str] = set()
    for check in CHECKS:
        assert set(check.needs) <= before, check.name
        assert check.name not in before
        before.add(check.name)


def test_every_check_says_why_it_matters_and_how_to_mend_it() -> None:
    for check in CHECKS:
        assert check.why
        assert check.mend
        assert check.title
