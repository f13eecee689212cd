from email.utils import formatdate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.contracts.release import RetryPolicy
from aml.runtime.participant.retry_policy import (
    GiveUp,
    Retry,
    backoff_bound,
    decide,
    is_retryable_status,
    parse_retry_after,
)

POLICY = RetryPolicy(attempts=4, base_seconds=0.5, cap_seconds=10.0)
NOW_MS = 1_700_000_000_000


def test_the_two_status_sets_are_the_contracts() -> None:
    add = {status for status in range(100, 600) if is_retryable_status("add", status)}
    search = {status for status in range(100, 600) if is_retryable_status("search", status)}

    assert add == {408, 409, 425, 429, 500, 502, 503, 504, 524}
    assert search == {408, 425, 429, 500, 502, 503, 504}


def test_permanent_failures_are_not_tried_again() -> None:
    assert decide(1, retryable=False, retry_after=1.0, policy=POLICY, chance=0.5) == GiveUp("permanent")


def test_attempts_are_bounded() -> None:
    decisions = [decide(n, retryable=True, retry_after=None, policy=POLICY, chance=0.5) for n in range(1, 6)]

    assert decisions == [Retry(0.25), Retry(0.5), Retry(1.0), GiveUp("attempts"), GiveUp("attempts")]


@given(st.integers(1, 10_000), st.floats(0, 1, exclude_max=True), st.none() | st.floats(0, 1e9))
def test_delays_stay_between_what_was_asked_and_the_cap(attempt: int, chance: float, asked: float | None) -> None:
    policy = RetryPolicy(attempts=10_001, base_seconds=0.5, cap_seconds=10.0)

    decision = decide(attempt, retryable=True, retry_after=asked, policy=policy, chance=chance)

    assert isinstance(decision, Retry)
    assert min(asked or 0.0, 10.0) <= decision.delay_seconds <= 10.0
    if asked is None:
        assert decision.delay_seconds == chance * backoff_bound(attempt, policy)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None), ("", None), ("soon", None), ("-5", None), ("1.5", None), ("9" * 5000, None), ("٣", None),
        ("0", 0.0), ("120", 120.0), (" 7 ", 7.0), (formatdate(NOW_MS / 1000 + 90, usegmt=True), 90.0),
        (formatdate(NOW_MS / 1000 - 90, usegmt=True), 0.0), ("Fri, 31 Feb 2023 10:00:00 GMT", None), ("Wed, 21 Oct", None),
    ],
)  # fmt: skip
def test_retry_after_in_both_forms(value: str | None, seconds: float | None) -> None:
    assert parse_retry_after(value, NOW_MS) == seconds
