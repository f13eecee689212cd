"""Paired runs: only the pairs that differ tell, and no order of the two is preferred."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.rules.mcnemar import mcnemar, paired_runs

COUNT = st.integers(0, 3000)
OUTCOMES = ("correct", "incorrect", "graded")


@given(st.dictionaries(st.tuples(st.sampled_from(OUTCOMES), st.sampled_from(OUTCOMES)), st.integers(0, 40)))
def test_turning_the_two_runs_round_turns_the_counts_and_keeps_the_p_value(cells: dict) -> None:  # type: ignore[type-arg]
    found, turned = paired_runs(cells), paired_runs({(after, before): n for (before, after), n in cells.items()})

    assert (found.only_first, found.only_second) == (turned.only_second, turned.only_first)
    assert found.p_value == turned.p_value
    assert found.pairs == found.both_right + found.only_first + found.only_second + found.both_wrong
    assert found.pairs == sum(n for pair, n in cells.items() if "graded" not in pair)


@given(COUNT, COUNT, COUNT)
def test_what_both_runs_share_changes_nothing(both_right: int, both_wrong: int, only_first: int) -> None:
    alone = paired_runs({("correct", "incorrect"): only_first % 50})
    beside = paired_runs(
        {
            ("correct", "incorrect"): only_first % 50,
            ("correct", "correct"): both_right,
            ("incorrect", "incorrect"): both_wrong,
        }
    )

    assert alone.p_value == beside.p_value


@given(st.integers(1, 60))
def test_a_one_sided_change_is_less_likely_the_more_there_is_of_it(changed: int) -> None:
    fewer = paired_runs({("correct", "incorrect"): changed})
    more = paired_runs({("correct", "incorrect"): changed + 1})

    assert more.p_value <= fewer.p_value
    assert paired_runs({}).p_value == 1_000_000


@pytest.mark.parametrize(
    ("first", "second", "p"), [(0, 0, 1_000_000), (5, 5, 1_000_000), (0, 5, 62_500), (1, 9, 21_484), (9, 1, 21_484)]
)
def test_mcnemar_is_the_exact_binomial(first: int, second: int, p: int) -> None:
    assert mcnemar(first, second) == p
