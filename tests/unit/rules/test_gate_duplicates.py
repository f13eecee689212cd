"""A result like an earlier one is shown to the reviewer, and passes."""

from typing import Any

import pytest
from msgspec.structs import replace
from tests.factories.events import a_digest, an_event
from tests.factories.finished_jobs import a_job, a_release, a_release_locked, sealed

from aml.contracts.jobs import JobRequested
from aml.contracts.release import FairPlay
from aml.contracts.seals import GateCheck, OutcomeSketch
from aml.contracts.units import AnswerGenerated
from aml.rules.gate import EarlierPass, GateBundle, evaluate_gate, row_subject
from aml.rules.outcome_sketch import sketch_of

JOB = a_job(questions=100, wrong=10)


def other_result(changed: int) -> OutcomeSketch:
    """Of the same questions, `changed` of which went otherwise."""
    events, left = list(JOB), changed
    for at, event in enumerate(events):
        if isinstance(event, AnswerGenerated) and left:
            events[at], left = replace(event, prompt_tokens=event.prompt_tokens + 1), left - 1
    found = sketch_of(events)
    assert found is not None
    return found


def an_earlier(sketch: OutcomeSketch | None, *, index: int = 3, job_id: str = "job-0", **subject: Any) -> EarlierPass:
    changed = {"version_id": f"v-{job_id}", "key_id": "somebody-else"} | subject
    theirs = replace(row_subject(an_event(JobRequested)), **changed)
    return EarlierPass(index=index, job_id=job_id, subject=theirs, sketch=sketch)


def decide(*earlier: EarlierPass, **request: Any) -> list[GateCheck]:
    events = [replace(JOB[0], **request), *JOB[1:]]
    bundle = GateBundle(
        entries=tuple(sealed(events, start=10)),
        release=a_release(questions=100),
        locks=((0, a_release_locked()),),
        earlier=earlier,
    )
    decision = evaluate_gate(bundle)
    assert decision.passed
    return [each for each in decision.checks if each.name == "duplicates"]


def test_the_very_same_result_under_another_name_is_shown_with_its_entry() -> None:
    (check,) = decide(an_earlier(other_result(0)))
    assert (check.passed, check.code, check.entries) == (True, "duplicate", (3,))
    assert check.found == "1000000 as in job-0"


def test_a_result_that_differs_in_one_of_a_hundred_is_near() -> None:
    (check,) = decide(an_earlier(other_result(1)), an_earlier(other_result(60), index=7, job_id="far"))
    assert (check.passed, check.code, check.entries) == (True, "near_duplicate", (3,))
    assert check.found == "990000 as in job-0"


def test_an_honest_result_says_how_near_the_nearest_was() -> None:
    (check,) = decide(an_earlier(other_result(60)), an_earlier(other_result(40), index=7, job_id="job-2"))
    assert (check.code, check.entries) == ("ok", (7,))
    assert check.found.startswith("2 earlier results of these questions, the nearest with 6")


@pytest.mark.parametrize(
    "earlier",
    [
        an_earlier(None),
        an_earlier(other_result(0), release_digest=a_digest("another release")),
        an_earlier(other_result(0), job_id="job-1"),
    ],
    ids=["without a sketch", "under another release", "this very job"],
)
def test_what_does_not_compare_is_left_out(earlier: EarlierPass) -> None:
    (check,) = decide(earlier)
    assert (check.code, check.found, check.entries) == ("ok", "0 earlier results of these questions", (10,))


def test_a_baseline_arm_is_not_compared() -> None:
    assert decide(an_earlier(other_result(0)), arm="oracle") == []


def test_the_release_says_from_where_on_two_results_are_alike() -> None:
    strict = GateBundle(
        entries=tuple(sealed(JOB, start=10)),
        release=a_release(questions=100, fair_play=FairPlay(duplicate_likeness=300_000)),
        locks=((0, a_release_locked()),),
        earlier=(an_earlier(other_result(60)),),
    )
    (check,) = [each for each in evaluate_gate(strict).checks if each.name == "duplicates"]
    assert check.code == "near_duplicate"
