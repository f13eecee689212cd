import pytest

from aml.judge.model_calls.key_ring import COOL_DOWN_MS, KeyRing


def test_keys_take_turns() -> None:
    ring = KeyRing(["a", "b", "c"])
    assert [ring.lease(0).key for _ in range(4)] == ["a", "b", "c", "a"]


def test_a_resting_key_is_passed_over_until_it_wakes() -> None:
    ring = KeyRing(["a", "b"])
    ring.rest("a", 0)
    assert [ring.lease(1).key for _ in range(2)] == ["b", "b"]
    assert ring.awake(1) == 1
    assert {ring.lease(COOL_DOWN_MS).key for _ in range(2)} == {"a", "b"}


def test_when_all_rest_the_first_to_wake_is_leased_with_the_wait() -> None:
    ring = KeyRing(["a", "b"])
    ring.rest("a", 0, 9_000)
    ring.rest("b", 0, 4_000)
    lease = ring.lease(1_000)
    assert (lease.key, lease.wait_ms) == ("b", 3_000)


def test_a_shorter_rest_does_not_wake_a_key_early() -> None:
    ring = KeyRing(["a"])
    ring.rest("a", 0, 9_000)
    ring.rest("a", 0, 1_000)
    assert ring.lease(0).wait_ms == 9_000


def test_an_empty_ring_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a key"):
        KeyRing([])
