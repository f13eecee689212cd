"""Expectations read like sentences, hold when they should, and say which questions they failed for."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.factories.suite_results import a_question, a_result

from aml.toolkit.results import Expectation, MemoryAssertionError, SuiteResult


def test_a_chain_of_what_holds_goes_through() -> None:
    questions = [
        a_question("basic_retention", 90, answer="On shelf 9.", latency_ms=100.0, prompt_tokens=10),
        a_question("temporal_reasoning", 80),
        a_question("noise_resilience", 100),
        a_question("reach_back", 100, depth=25),
        a_question("cross_session", 80),
    ]

    result = a_result(questions, price=1.0)

    (
        result.should.be_complete()
        .have_overall_above(70)
        .have_retention_above(80, because="it plans from what it was told")
        .have_temporal_reasoning_above(75)
        .have_noise_resilience_above(70)
        .have_reach_back_above(70)
        .reach_back_at_least(25)
        .have_passed("Cross-Session")
        .have_category_above("cross_session", 79)
        .have_no_hallucinations()
        .have_no_forbidden_facts()
        .have_said("shelf 9")
        .have_answered_within(seconds=1)
        .have_used_at_most(tokens=10)
        .have_cost_at_most(1)
    )


FAILING: list[tuple[str, SuiteResult, Callable[[Expectation], Any], str]] = [
    ("overall", a_result([a_question(score=60)]), lambda e: e.have_overall_above(60), "above 60, but it is 60.0"),
    (
        "retention",
        a_result([a_question(score=79)]),
        lambda e: e.have_retention_above(80),
        "expected basic retention above 80, but it is 79.0",
    ),
    (
        "passed",
        a_result([a_question("cross_session", 79)]),
        lambda e: e.have_passed("cross_session"),
        "expected cross session to pass at 80, but it is 79.0",
    ),
    (
        "not run",
        a_result([a_question()]),
        lambda e: e.have_passed("preference"),
        "expected the category preference, but the suite quick ran: basic_retention",
    ),
    (
        "invented",
        a_result([a_question("abstention", 0, judge="abstention")]),
        lambda e: e.have_no_hallucinations(),
        "1 answer asserted what was never told",
    ),
    (
        "near miss",
        a_result([a_question("noise_resilience", 90, forbidden=("shelf 6",))]),
        lambda e: e.have_no_hallucinations(),
        "1 answer asserted what was never told",
    ),
    (
        "forbidden",
        a_result([a_question("noise_resilience", 90, forbidden=("shelf 6",))]),
        lambda e: e.have_no_forbidden_facts(),
        "but found: shelf 6",
    ),
    ("unsaid", a_result([a_question()]), lambda e: e.have_said("shelf 9"), "to say 'shelf 9', but none does"),
    (
        "slow",
        a_result([a_question(latency_ms=2500.0)]),
        lambda e: e.have_answered_within(seconds=1),
        "1 answer took longer, up to 2.50 s",
    ),
    ("tokens", a_result([a_question(prompt_tokens=11)]), lambda e: e.have_used_at_most(tokens=10), "but 11 were used"),
    ("no price", a_result([a_question()]), lambda e: e.have_cost_at_most(1), "the run has no price"),
    (
        "dear",
        a_result([a_question(prompt_tokens=1_000_000)], price=3.0),
        lambda e: e.have_cost_at_most(1),
        "of at most 1, but it is 3",
    ),
    (
        "shallow",
        a_result([a_question("reach_back", 100 if depth < 25 else 0, depth=depth) for depth in (10, 25)]),
        lambda e: e.reach_back_at_least(25),
        "expected to reach back 25 exchanges, but it reaches 10",
    ),
    (
        "incomplete",
        a_result([a_question(score=100), a_question(score=None, number=2)]),
        lambda e: e.have_overall_above(1),
        "expected every question to be scored, but 1 of 2 were",
    ),
    (
        "unscored category",
        a_result([a_question(score=100), a_question(score=None, number=2)]),
        lambda e: e.have_retention_above(1),
        "expected basic retention to be scored, but 1 of 2 were",
    ),
]


@pytest.mark.parametrize(("result", "expect", "sentence"), [case[1:] for case in FAILING], ids=[c[0] for c in FAILING])
def test_what_does_not_hold_says_so_in_a_sentence(
    result: SuiteResult, expect: Callable[[Expectation], Any], sentence: str
) -> None:
    with pytest.raises(MemoryAssertionError) as failed:
        expect(result.should)

    assert sentence in str(failed.value)


def test_a_failure_gives_its_reason_and_the_worst_questions_first() -> None:
    questions = [a_question(score=float(10 * number), number=number) for number in range(1, 8)]

    with pytest.raises(AssertionError) as failed:
        a_result(questions).should.have_retention_above(80, because="because it must plan")

    lines = str(failed.value).splitlines()
    assert lines[0].endswith(", because it must plan")
    assert lines[1] == "  - basic_retention-1 (10): What was said about thing 1?"
    assert lines[2] == "      answered 'It was thing 1.', wanted 'thing 1'"
    assert lines[-1] == "  … and 2 more"
    assert len(lines) == 1 + 5 * 2 + 1


def test_a_long_or_hostile_answer_is_one_short_line() -> None:
    with pytest.raises(MemoryAssertionError) as failed:
        a_result([a_question(score=0, answer="no\n" * 100_000)]).should.have_retention_above(80)

    assert all(len(line) < 400 for line in str(failed.value).splitlines())


def test_a_question_without_a_score_shows_why() -> None:
    with pytest.raises(MemoryAssertionError, match="unscored in answer: model, it was away"):
        a_result([a_question(score=None)]).should.be_complete()
