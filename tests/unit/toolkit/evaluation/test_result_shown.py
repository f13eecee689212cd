from hypothesis import given
from hypothesis import strategies as st
from tests.factories.results import a_result, a_tally

from aml.toolkit.evaluation.result_shown import count_planned, count_unscored, show_result, show_tally

COUNTED = {"planned", "scored", "correct", "incorrect", "partial", "unscored", "score", "interval"}


@given(st.integers(min_value=0, max_value=1_000_000), st.integers(min_value=1, max_value=5000))
def test_the_denominators_add_up_as_shown(score: int, planned: int) -> None:
    shown = show_tally(a_tally(score, planned))

    assert shown.planned == shown.scored + shown.unscored
    assert shown.scored == shown.correct + shown.incorrect
    assert shown.score == score / 10_000
    assert shown.interval is not None
    assert shown.interval[0] <= shown.score <= shown.interval[1]


def test_nothing_scored_is_no_score_and_not_zero() -> None:
    shown = show_tally(a_tally(None, 12))

    assert (shown.planned, shown.unscored, shown.score, shown.interval) == (12, 12, None, None)


def test_every_dataset_and_category_has_its_counts() -> None:
    shown = show_result(a_result(datasets={"locomo": 400_000, "practice": 800_000}, planned=100))

    assert list(shown.datasets) == ["locomo", "practice"]
    for dataset in shown.datasets.values():
        assert set(dataset.__struct_fields__) >= COUNTED
        assert all(set(category.__struct_fields__) >= COUNTED for category in dataset.categories.values())
    assert (count_planned(shown), count_unscored(shown)) == (200, 0)


def test_latencies_are_milliseconds_and_absent_where_nobody_was_called() -> None:
    called, alone = show_result(a_result(p95=48_000)), show_result(a_result(p95=None))

    assert called.latency_ms.search.p95 == 48.0
    assert (alone.latency_ms.add.calls, alone.latency_ms.add.p50) == (0, None)
