"""Token buckets: a burst, then a steady rate, each name for itself, in bounded memory."""

from hypothesis import given
from hypothesis import strategies as st

from aml.gateway.edge.token_bucket import Rate, TokenBuckets


def test_a_burst_passes_and_then_one_waits_for_the_next_token() -> None:
    buckets = TokenBuckets(Rate(per_second=2, burst=3))

    waits = [buckets.take(b"a", 0.0) for _ in range(4)]

    assert waits == [0, 0, 0, 0.5]
    assert buckets.take(b"a", 0.5) == 0


def test_names_do_not_spend_each_others_tokens() -> None:
    buckets = TokenBuckets(Rate(per_second=1, burst=1))

    assert buckets.take(b"a", 0.0) == 0
    assert buckets.take(b"b", 0.0) == 0
    assert buckets.take(b"a", 0.0) > 0


def test_no_rate_is_no_limit() -> None:
    buckets = TokenBuckets(Rate(per_second=0, burst=1))

    assert {buckets.take(b"a", 0.0) for _ in range(100)} == {0.0}


def test_memory_is_bounded_and_whoever_was_quiet_longest_is_forgotten() -> None:
    buckets = TokenBuckets(Rate(per_second=0.001, burst=1), names=2)
    buckets.take(b"old", 0.0)
    buckets.take(b"busy", 1.0)

    buckets.take(b"new", 2.0)

    assert buckets.take(b"busy", 2.0) > 0
    assert buckets.take(b"old", 2.0) == 0


@given(
    gaps=st.lists(st.floats(0, 5), min_size=1, max_size=60),
    per_second=st.floats(0.1, 50),
    burst=st.integers(1, 20),
)
def test_never_more_passes_than_the_burst_and_the_rate_allow(gaps: list[float], per_second: float, burst: int) -> None:
    buckets, now, passed = TokenBuckets(Rate(per_second=per_second, burst=burst)), 0.0, 0
    for gap in gaps:
        now += gap
        passed += buckets.take(b"a", now) == 0

    assert passed <= burst + per_second * now + 1e-6


@given(per_second=st.floats(0.1, 50), burst=st.integers(1, 5))
def test_whoever_waits_as_long_as_told_passes(per_second: float, burst: int) -> None:
    buckets, now = TokenBuckets(Rate(per_second=per_second, burst=burst)), 0.0
    for _ in range(burst):
        assert buckets.take(b"a", now) == 0

    wait = buckets.take(b"a", now)

    assert wait > 0
    assert buckets.take(b"a", now + wait + 1e-9) == 0
