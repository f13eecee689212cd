"""The fingerprint says how alike two results are, as the entries themselves would."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.factories.finished_jobs import a_job

from aml.contracts.seals import OutcomeSketch
from aml.rules.fair_play import Trace, likeness
from aml.rules.identity import unit_of
from aml.rules.outcome_sketch import SAMPLED, sketch_likeness, sketch_of, sketch_of_traces

UNITS = [unit_of("practice", str(n)) for n in range(400)]


def traces(tokens: list[int]) -> dict[str, Trace]:
    courses = [Trace(score=0, returned=20, context_items=20, prompt_tokens=each) for each in tokens]
    return dict(zip(UNITS, courses, strict=False))


def a_sketch(tokens: list[int]) -> OutcomeSketch:
    found = sketch_of_traces(traces(tokens))
    assert found is not None
    return found


def test_the_same_result_has_the_same_sketch_whoever_ran_it_and_when() -> None:
    events = a_job(questions=6)
    later = [replace(each, at=each.at + 5) for each in events]
    assert sketch_of(events) == sketch_of(later)
    found = sketch_of(events)
    assert found is not None
    assert found.questions == len(base64.b64decode(found.marks)) == 6


def test_one_other_answer_is_another_result_and_almost_alike() -> None:
    one, other = a_sketch([300] * 200), a_sketch([301] + [300] * 199)
    assert one.exact != other.exact
    assert (sketch_likeness(one, one), sketch_likeness(one, other)) == (1_000_000, 995_000)


@given(st.lists(st.integers(0, 3), min_size=200, max_size=200), st.lists(st.integers(0, 3), min_size=200, max_size=200))
def test_it_is_near_the_likeness_of_the_entries(mine: list[int], theirs: list[int]) -> None:
    exactly = likeness(traces(mine), traces(theirs))
    found = sketch_likeness(a_sketch(mine), a_sketch(theirs))
    assert found is not None
    assert exactly <= found <= exactly + 60_000  # a byte agrees by chance once in 256


def test_results_of_other_questions_do_not_compare() -> None:
    assert sketch_likeness(a_sketch([1, 2]), a_sketch([1, 2, 3])) is None


@pytest.mark.parametrize("marks", ["", "AA==", "not base64", "ä"])
def test_marks_that_are_none_do_not_compare(marks: str) -> None:
    whole = a_sketch([1, 2, 3])
    assert sketch_likeness(whole, replace(whole, exact="0" * 64, marks=marks)) is None


def test_a_large_result_is_sampled_alike_for_everybody() -> None:
    many = {unit_of("big", str(n)): Trace(score=0, returned=1, context_items=1, prompt_tokens=n) for n in range(3_000)}
    turned = dict(reversed(many.items()))
    found = sketch_of_traces(many)
    assert found == sketch_of_traces(turned)
    assert found is not None
    assert (found.questions, len(base64.b64decode(found.marks))) == (3_000, SAMPLED)


def test_a_job_without_a_scored_question_has_none() -> None:
    assert sketch_of(a_job(questions=2)[:3]) is None
