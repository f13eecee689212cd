"""What others wrote reaches a terminal as text; numbers keep their denominators."""

import io
from typing import Any

import msgspec
import pytest
from rich.console import Console
from tests.factories.platform_views import AT, a_job

from aml.gateway.edge.examples import EXAMPLES
from aml.gateway.jobs.views import ErrorSummary, Job, JobList, Stall
from aml.toolkit.client.access_view import check_lines, print_requests, print_versions, state_lines
from aml.toolkit.client.job_view import job_lines, print_jobs, print_quotas
from aml.toolkit.client.listing import as_json, cell, print_table
from aml.toolkit.client.result_view import print_comparison, print_failures, print_results
from aml.toolkit.client.review_view import (
    print_attestations,
    print_proposals,
    print_reviews,
    proposal_lines,
    review_lines,
)

HOSTILE = "\x1b[2J[bold]x[/bold]\n\u202eevil"


def printed(print_it: Any, answer: Any) -> str:
    console = Console(file=io.StringIO(), width=240, color_system=None)
    print_it(console, answer)
    return str(console.file.getvalue())  # type: ignore[attr-defined]


def answer_of(name: str) -> Any:
    return EXAMPLES[name].answer


def test_a_hostile_label_is_shown_and_not_obeyed() -> None:
    out = printed(print_jobs, JobList(jobs=(a_job(run_label=HOSTILE, system="[red]a[/red]"),)))

    assert "\x1b" not in out
    assert "[red]a[/red]" in out


def test_what_is_not_there_is_said_and_zero_is_no_dash() -> None:
    assert (cell(None), cell(0), cell(True), cell(12_345), cell(AT)) == (
        "—",
        "0",
        "yes",
        "12,345",
        "2026-03-01 00:00 UTC",
    )
    console = Console(file=io.StringIO())
    print_table(console, ("a",), (), empty="nothing waits")
    assert console.file.getvalue() == "nothing waits\n"  # type: ignore[attr-defined]


def test_a_job_says_its_place_why_it_stands_and_what_went_wrong() -> None:
    stall = Stall(since_seconds=90, stage="retrieval", reason="participant", why="your Search answers 503")
    errors = (ErrorSummary(stage="retrieval", reason="transport", questions=3, example="Search: 503"),)
    job = a_job(stage="retrieval", state="running", queue_place=2, stalled=stall, errors=errors, gate=None)

    said = "\n".join(job_lines(job))

    for part in ("place 2", "stalled for 90 s", "your Search answers 503", "3 in retrieval for transport"):
        assert part in said


@pytest.mark.parametrize(
    ("print_it", "operation", "said"),
    [
        (print_jobs, "read_jobs", ["job-5r3t9yq7", "autumn, first try"]),
        (print_quotas, "read_quotas", ["waits for the interval", "2026-10-07 08:42 UTC"]),
        (print_requests, "list_requests", ["acc-2b6d8fh1", "Example Lab"]),
        (print_versions, "read_versions", ["ver-7k1m9xw3", "passed", "open"]),
        (print_results, "read_results", ["140", "139", "69.8", "62.3 – 77.1", "questions (unscored)"]),
        (print_failures, "read_questions", ["2a4a03d4c11d7c1ec389", "incorrect", "and 42 more"]),
        (print_comparison, "compare_runs", ["1 got worse", "p = 0.0215", "100.0 correct"]),
        (print_reviews, "read_reviews", ["job-5r3t9yq7", "Recall"]),
        (print_proposals, "list_proposals", ["Letters over forty years", "1,482,113"]),
        (print_attestations, "list_attestations", ["open", "2026-10-07 08:42 UTC"]),
    ],
)
def test_each_answer_is_a_table(print_it: Any, operation: str, said: list[str]) -> None:
    out = printed(print_it, answer_of(operation))

    for part in said:
        assert part in out


@pytest.mark.parametrize(
    ("lines", "operation", "said"),
    [
        (check_lines, "check_again", ["all well", "right_key"]),
        (state_lines, "read_access", ["approved at 2026-09-04 13:40 UTC", "everything is in place"]),
        (
            review_lines,
            "read_review_file",
            ["1 questions with something flagged", "same repository", "possible: approve"],
        ),
        (proposal_lines, "read_proposal", ["Letters over forty years", "CC-BY-4.0", "ask_for_more"]),
    ],
)
def test_each_file_is_lines(lines: Any, operation: str, said: list[str]) -> None:
    out = "\n".join(lines(answer_of(operation)))

    for part in said:
        assert part in out


def test_a_smokes_gate_is_not_held_against_it() -> None:
    results = answer_of("read_results")
    smoke = msgspec.structs.replace(results, subject=msgspec.structs.replace(results.subject, mode="smoke"))

    assert "refused" not in printed(print_results, smoke)


def test_json_is_the_answer_as_it_came() -> None:
    assert msgspec.json.decode(as_json(answer_of("read_job")), type=Job) == answer_of("read_job")
