"""Each category's own formula, by the numbers of its source."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.factories.suite_results import a_fact, a_question

from aml.toolkit.metrics.category_score import score_category
from aml.toolkit.metrics.reach_back import reach_back

SCORES = st.lists(st.floats(0, 100), min_size=1, max_size=20)


def test_a_category_is_the_mean_of_what_was_scored_and_says_how_much_that_was() -> None:
    found = score_category("multi_topic", 0.1, [a_question(score=score) for score in (100, 50, None)])

    assert (found.score, found.planned, found.scored, found.unscored) == (75, 3, 2, 1)
    assert found.low is not None
    assert found.high is not None
    assert found.low < 75 < found.high
    assert found.passed
    assert found.grade == "C"


def test_a_category_of_which_nothing_was_scored_has_no_score() -> None:
    found = score_category("multi_topic", 0.1, [a_question(score=None)])

    assert found.errored
    assert not found.passed
    assert (found.score, found.low, found.high, found.grade) == (None, None, None, None)


@pytest.mark.parametrize(
    ("category", "passing"),
    [
        ("basic_retention", 80),
        ("temporal_reasoning", 75),
        ("noise_resilience", 70),
        ("reach_back", 70),
        ("reducer_fidelity", 75),
        ("cross_session", 80),
        ("preference", 70),
    ],
)
def test_a_category_passes_from_its_own_score_on(category: str, passing: float) -> None:
    at, below = [
        score_category(
            category,
            1.0,
            [
                a_question(category, score=score, depth=5, facts=(a_fact(said=number < score),), number=number)
                for number in range(100)
            ],
        )
        for score in (passing, passing - 1)
    ]

    assert at.score == passing
    assert at.passed
    assert not below.passed


def test_noise_costs_five_points_for_each_near_miss_of_a_scenario_and_never_more_than_all() -> None:
    clean = a_question("noise_resilience", 90, number=1)
    misled = a_question("noise_resilience", 60, number=2, forbidden=("shelf 6", "shelf 7"))
    lost = a_question("noise_resilience", 5, number=3, forbidden=("x", "y"))

    assert score_category("noise_resilience", 1, [clean]).score == 90
    assert score_category("noise_resilience", 1, [misled]).score == 50
    assert score_category("noise_resilience", 1, [lost]).score == 0
    assert score_category("noise_resilience", 1, [clean, misled]).score == 70


def test_fidelity_weighs_the_critical_facts_apart() -> None:
    facts = (a_fact("a"), a_fact("b", said=False), a_fact("c", importance=79, said=False), a_fact("d", importance=10))

    found = score_category("reducer_fidelity", 1, [a_question("reducer_fidelity", 50, facts=facts)])

    assert (found.preserved, found.critical) == (50, 50)
    assert found.score == 50


def test_fidelity_without_critical_facts_is_the_share_that_survived() -> None:
    facts = (a_fact("a", importance=20), a_fact("b", importance=20, said=False))

    found = score_category("reducer_fidelity", 1, [a_question("reducer_fidelity", 0, facts=facts)])

    assert (found.preserved, found.critical, found.score) == (50, None, 50)


@given(said=st.lists(st.booleans(), min_size=1, max_size=30))
def test_fidelity_of_equal_facts_is_exactly_their_share(said: list[bool]) -> None:
    facts = tuple(a_fact(str(number), said=each) for number, each in enumerate(said))

    found = score_category("reducer_fidelity", 1, [a_question("reducer_fidelity", 0, facts=facts)])

    assert found.score == pytest.approx(100 * sum(said) / len(said), abs=1e-3)


def test_temporal_counts_only_questions_that_have_a_time_of_asking() -> None:
    dated, undated = a_question("temporal_reasoning", 80), a_question("temporal_reasoning", 0, asked_on=None)

    assert score_category("temporal_reasoning", 1, [dated, undated]).score == 80


@given(scores=SCORES, penalties=st.integers(0, 30))
def test_no_formula_leaves_the_scale(scores: list[float], penalties: int) -> None:
    for category in ("basic_retention", "noise_resilience", "reach_back", "reducer_fidelity", "temporal_reasoning"):
        records = [
            a_question(category, score, depth=5, facts=(a_fact(said=score > 50),), forbidden=("x",) * penalties)
            for score in scores
        ]
        found = score_category(category, 1, records)
        assert found.score is not None
        assert found.low is not None
        assert found.high is not None
        assert 0 <= found.score <= 100
        assert 0 <= found.low <= found.high <= 100


@given(scores=SCORES)
def test_the_order_of_questions_changes_nothing(scores: list[float]) -> None:
    records = [a_question(score=score, number=number) for number, score in enumerate(scores)]

    assert score_category("multi_topic", 1, records) == score_category("multi_topic", 1, records[::-1])


def test_the_curve_breaks_where_a_window_ends() -> None:
    records = [
        a_question("reach_back", 100 if depth <= 25 else 0, depth=depth, number=number)
        for number in range(3)
        for depth in (5, 10, 25, 50, 100)
    ]

    found = reach_back(records)

    assert found is not None
    assert [point.depth for point in found.curve] == [5, 10, 25, 50, 100]
    assert [point.recalled for point in found.curve] == [True, True, True, False, False]
    assert (found.reliable_depth, found.shape, found.drop) == (25, "steep", 100)


@pytest.mark.parametrize(
    ("last", "shape"), [(100, "stable"), (91, "stable"), (90, "gradual"), (75, "moderate"), (50, "steep"), (0, "steep")]
)
def test_the_drop_names_the_shape(last: float, shape: str) -> None:
    found = reach_back([a_question("reach_back", 100, depth=5), a_question("reach_back", last, depth=10)])

    assert found is not None
    assert found.shape == shape


def test_a_curve_that_recovers_is_reliable_only_up_to_its_first_break() -> None:
    found = reach_back([a_question("reach_back", score, depth=depth) for depth, score in ((5, 0), (10, 100))])

    assert found is not None
    assert found.reliable_depth is None


def test_each_depth_counts_the_same_however_many_questions_it_had() -> None:
    records = [a_question("reach_back", 100, depth=5)] + [a_question("reach_back", 0, depth=10) for _ in range(9)]

    assert score_category("reach_back", 1, records).score == 50
