"""A whole suite: weights, what is missing, grades, axes, spread."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.factories.suite_results import a_question, a_result

from aml.toolkit.metrics.grades import grade_of, stars_of

WEIGHTS = {"basic_retention": 0.4, "temporal_reasoning": 0.3, "noise_resilience": 0.3}


def test_overall_is_the_weighted_mean() -> None:
    questions = [
        a_question("basic_retention", 100),
        a_question("temporal_reasoning", 50),
        a_question("noise_resilience", 0),
    ]

    result = a_result(questions, WEIGHTS)

    assert result.overall == pytest.approx(55)
    assert result.complete
    assert not result.passed
    assert result.low is not None
    assert result.high is not None
    assert result.low < 55 < result.high


def test_the_weights_of_skipped_categories_go_to_the_others() -> None:
    result = a_result([a_question("basic_retention", 100), a_question("temporal_reasoning", 30)], WEIGHTS)

    assert result.skipped == ("noise_resilience",)
    assert result.overall == pytest.approx((0.4 * 100 + 0.3 * 30) / 0.7, abs=1e-3)


def test_an_errored_category_counts_zero_in_overall_and_is_left_out_of_capability() -> None:
    result = a_result([a_question("basic_retention", 100), a_question("temporal_reasoning", None)], WEIGHTS)

    assert result.overall == pytest.approx(0.4 * 100 / 0.7, abs=1e-3)
    assert result.capability == 100
    assert not result.complete
    assert (result.low, result.high) == (None, None)


def test_one_unscored_question_makes_a_run_incomplete_and_no_answer_wrong() -> None:
    result = a_result([a_question(score=100, number=1), a_question(score=None, number=2)])

    assert (result.overall, result.complete, result.passed, result.unscored) == (100, False, False, 1)


def test_nothing_planned_is_not_complete() -> None:
    result = a_result([], WEIGHTS)

    assert (result.overall, result.complete, result.capability, result.axes) == (0, False, None, ())


def test_a_missing_axis_is_omitted_and_never_zero() -> None:
    result = a_result([a_question("basic_retention", 80), a_question("cross_session", None)])

    assert [(axis.name, axis.score, axis.categories) for axis in result.axes] == [
        ("recall", 80, ("basic_retention",)),
    ]


def test_an_axis_is_the_mean_of_its_categories() -> None:
    questions = [a_question(category, score) for category, score in (("fact_update", 100), ("conflict_resolution", 50))]

    assert [(axis.name, axis.score) for axis in a_result(questions).axes] == [("temporal", 75)]


def test_a_question_of_a_category_without_weight_is_an_error() -> None:
    with pytest.raises(ValueError, match="preference"):
        a_result([a_question("preference")], WEIGHTS)


def test_latency_and_tokens_count_what_is_known() -> None:
    questions = [a_question(number=n, latency_ms=float(n), prompt_tokens=10) for n in range(1, 101)] + [a_question()]

    result = a_result(questions, price=2.0)

    assert (result.latency.answers, result.latency.p50, result.latency.p95) == (100, 50, 95)
    assert (result.tokens, result.cost) == (1000, 0.002)
    assert a_result(questions).cost is None


def test_repeats_show_their_spread() -> None:
    result = a_result([a_question(score=score, repeat=repeat) for repeat, score in enumerate((90, 70, 80))])

    assert result.overall == 80
    assert result.spread is not None
    assert (result.spread.overall, result.spread.points) == ((90, 70, 80), 20)
    assert a_result([a_question()]).spread is None


@pytest.mark.parametrize(
    ("score", "grade", "stars"),
    [
        (100, "A+", 5), (97, "A+", 5), (96.9, "A", 5), (90, "A", 5), (89.9, "B", 4), (80, "B", 4), (75, "C", 4),
        (70, "C", 3), (69.9, "D", 3), (60, "D", 3), (59, "F", 2), (40, "F", 2), (39.9, "F", 1), (0, "F", 1),
    ],
)  # fmt: skip
def test_grades_and_stars(score: float, grade: str, stars: int) -> None:
    assert (grade_of(score), stars_of(score)) == (grade, stars)


@given(scores=st.lists(st.one_of(st.none(), st.floats(0, 100)), min_size=3, max_size=3))
def test_overall_stays_between_its_categories_and_capability_never_falls_below_it(scores: list[float | None]) -> None:
    result = a_result([a_question(category, score) for category, score in zip(WEIGHTS, scores, strict=True)], WEIGHTS)

    known = [score or 0.0 for score in scores]
    assert min(known) - 1e-3 <= result.overall <= max(known) + 1e-3
    assert result.capability is None or result.capability >= result.overall - 1e-3


@given(score=st.floats(0, 100), better=st.floats(0, 100))
def test_a_better_answer_never_makes_a_result_worse(score: float, better: float) -> None:
    low, high = sorted((score, better))
    rest = [a_question("temporal_reasoning", 50), a_question("noise_resilience", 50)]

    worse, improved = [a_result([a_question("basic_retention", each), *rest], WEIGHTS) for each in (low, high)]

    assert improved.overall >= worse.overall
