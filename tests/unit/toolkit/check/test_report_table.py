from rich.console import Console
from tests.factories.doctor_reports import a_check_report, a_report

from aml.contracts.doctor import DoctorReport
from aml.toolkit.check.report_table import print_report


def printed(report: DoctorReport) -> str:
    console = Console(width=140, color_system=None)
    with console.capture() as capture:
        print_report(console, report)
    return capture.get()


def test_each_outcome_is_a_word_and_what_did_not_pass_is_explained() -> None:
    text = printed(a_report(a_check_report("one"), a_check_report("two", "failed"), a_check_report("three", "warning")))
    assert "passed   one" in text
    for name in ("two", "three"):
        for said in ("the finding of", "sent by", "received by", "why", "mend"):
            assert f"{said} {name}" in text
    assert "sent by one" not in text
    assert "the contract is broken: 1 passed, 1 failed, 1 warning" in text


def test_checks_that_were_not_tried_share_a_line() -> None:
    untried = [a_check_report(name, "skipped", code="needs_add") for name in ("echo", "order")]
    text = printed(a_report(a_check_report("reach"), a_check_report("add", "failed"), *untried))
    assert "not tried, since they build on what failed: echo, order" in text
    assert text.count("echo") == 1


def test_a_dead_host_is_told_without_a_list() -> None:
    untried = [a_check_report(name, "skipped", code="needs_reach") for name in ("add", "search")]
    text = printed(a_report(a_check_report("reach", "failed"), *untried))
    assert "nothing else was tried" in text
    assert "search" not in text


def test_what_a_participant_sends_is_no_markup() -> None:
    text = printed(a_report(a_check_report("echo", "failed", received="[red]gone[/red] [link=x]y[/link]")))
    assert "[red]gone[/red] [link=x]y[/link]" in text
