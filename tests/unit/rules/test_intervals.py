from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.contracts.seals import Interval
from aml.rules.intervals import MILLION, mean_millionths, weighted, wilson


@pytest.mark.parametrize(
    ("correct", "count", "low", "high"),
    # Newcombe (1998), Statistics in Medicine 17:857-872, table I, method 3.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0000, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_the_published_examples(correct: int, count: int, low: float, high: float) -> None:
    found = wilson(correct * MILLION, count)
    assert (found.low / MILLION, found.high / MILLION) == pytest.approx((low, high), abs=5.1e-5)


@given(st.integers(1, 5000), st.data())
def test_it_is_wilsons_formula(count: int, data: st.DataObject) -> None:
    total = data.draw(st.integers(0, count * MILLION))
    p, z = total / MILLION / count, 1.959963984540054
    centre, half = p + z * z / (2 * count), z * sqrt(p * (1 - p) / count + z * z / (4 * count * count))
    found = wilson(total, count)
    scale = 1 + z * z / count
    assert found.low / MILLION == pytest.approx(max(0.0, (centre - half) / scale), abs=2e-6)
    assert found.high / MILLION == pytest.approx(min(1.0, (centre + half) / scale), abs=2e-6)


@given(st.integers(1, 2000), st.data())
def test_it_holds_the_mean_and_stays_within_0_and_1(count: int, data: st.DataObject) -> None:
    total = data.draw(st.integers(0, count * MILLION))
    found = wilson(total, count)
    assert 0 <= found.low <= mean_millionths(total, count) <= found.high <= MILLION


def test_all_right_and_all_wrong_touch_the_ends() -> None:
    assert wilson(10 * MILLION, 10).high == MILLION
    assert wilson(0, 10).low == 0


@pytest.mark.parametrize(("total", "count"), [(0, 0), (-1, 4), (4_000_001, 4)])
def test_impossible_scores_are_refused(total: int, count: int) -> None:
    with pytest.raises(ValueError, match="cannot add up"):
        wilson(total, count)


def test_one_dataset_keeps_its_interval() -> None:
    own = wilson(30 * MILLION, 40)
    assert weighted([(3, 750_000, own)]) == own


def test_two_datasets_are_surer_than_one() -> None:
    own = wilson(30 * MILLION, 40)
    both = weighted([(1, 750_000, own), (1, 750_000, own)])
    assert own.low < both.low < 750_000 < both.high < own.high
    assert 750_000 - both.low == pytest.approx((750_000 - own.low) / sqrt(2), abs=2)


def test_a_weight_of_nothing_changes_nothing() -> None:
    own, other = wilson(30 * MILLION, 40), Interval(low=0, high=MILLION)
    assert weighted([(1, 750_000, own), (0, 500_000, other)]) == own
