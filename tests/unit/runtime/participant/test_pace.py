"""Additive rise, multiplicative fall."""

from hypothesis import given
from hypothesis import strategies as st

from aml.runtime.participant.pace import Pace, after_failure, after_success, full_pace


def fallen(pace: Pace, times: int = 1) -> Pace:
    for _ in range(times):
        pace = after_failure(pace, status=429, retryable=True, began_in=pace.epoch)
    return pace


def test_it_begins_at_what_was_declared() -> None:
    assert full_pace(64).allowed == 64
    assert full_pace(0).allowed == 1


def test_a_429_halves_and_never_below_one() -> None:
    assert [fallen(full_pace(10), times).allowed for times in range(6)] == [10, 5, 2, 1, 1, 1]


def test_a_burst_of_429_falls_once() -> None:
    pace = full_pace(64)
    for _ in range(64):
        pace = after_failure(pace, status=429, retryable=True, began_in=0)
    assert (pace.allowed, pace.epoch) == (32, 1)


def test_four_5xx_are_bad_luck_and_five_are_a_load() -> None:
    pace = full_pace(8)
    for _ in range(4):
        pace = after_failure(pace, status=503, retryable=True, began_in=0)
    assert pace.allowed == 8
    assert after_failure(pace, status=500, retryable=True, began_in=0).allowed == 4
    spared = after_success(pace)
    assert after_failure(spared, status=500, retryable=True, began_in=0).allowed == 8


def test_what_says_nothing_of_load_changes_nothing() -> None:
    pace = full_pace(8)
    for status, retryable in ((None, True), (409, True), (408, True), (200, False), (501, False), (429, False)):
        for _ in range(9):
            assert after_failure(pace, status=status, retryable=retryable, began_in=0) is pace


def test_a_round_of_successes_adds_one() -> None:
    pace = fallen(full_pace(32))
    for _ in range(17):
        pace = after_success(pace)
    assert pace.allowed == 17


def test_a_success_at_the_ceiling_makes_no_new_object() -> None:
    pace = full_pace(3)
    assert after_success(pace) is pace


@given(st.integers(1, 300), st.lists(st.sampled_from([200, 429, 500, 503, None]), max_size=400))
def test_it_stays_between_one_and_the_ceiling(ceiling: int, statuses: list[int | None]) -> None:
    pace = full_pace(ceiling)
    for status in statuses:
        before = pace
        if status == 200:
            pace = after_success(pace)
            assert before.limit <= pace.limit <= before.limit + 1
        else:
            pace = after_failure(pace, status=status, retryable=True, began_in=pace.epoch)
            assert pace.limit in (before.limit, max(1.0, before.limit / 2))
        assert 1 <= pace.allowed <= ceiling


@given(st.integers(1, 64))
def test_it_recovers_whole(ceiling: int) -> None:
    pace = fallen(full_pace(ceiling), 3)
    for _ in range(ceiling * ceiling + 1):
        pace = after_success(pace)
    assert pace.allowed == ceiling
