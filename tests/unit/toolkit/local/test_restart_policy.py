from hypothesis import given
from hypothesis import strategies as st

from aml.toolkit.local.restart_policy import (
    FIRST_DELAY_S,
    LONGEST_DELAY_S,
    STEADY_AFTER_S,
    crashes_in_a_row,
    restart_delay_s,
)


@given(st.integers(min_value=1, max_value=200))
def test_each_wait_is_longer_up_to_a_bound(crashes: int) -> None:
    assert FIRST_DELAY_S <= restart_delay_s(crashes) <= restart_delay_s(crashes + 1) <= LONGEST_DELAY_S


def test_the_first_waits_double() -> None:
    assert [restart_delay_s(crashes) for crashes in (1, 2, 3, 7, 8, 50)] == [0.1, 0.2, 0.4, 6.4, 10.0, 10.0]


@given(st.integers(min_value=0, max_value=100), st.floats(min_value=0, max_value=1e6))
def test_a_long_run_is_forgiven(before: int, ran_s: float) -> None:
    assert crashes_in_a_row(before, ran_s) == (1 if ran_s >= STEADY_AFTER_S else before + 1)
