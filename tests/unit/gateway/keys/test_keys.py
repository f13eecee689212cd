"""Keys: their form, what is kept of them, and how they are recognised."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.gateway.keys.expiry import expiry_problem
from aml.gateway.keys.keys import StoredKey, describe_key, is_plausible, make_key, match_key, why_refused


def a_stored_key(text: str, key_id: str = "one", **changes: bool) -> StoredKey:
    return StoredKey(key_id=key_id, role="participant", hash=describe_key(text).hash, **changes)


@pytest.mark.parametrize(("role", "letter"), [("participant", "p"), ("reviewer", "r"), ("operator", "o")])
def test_a_key_shows_its_role_and_little_else(role: str, letter: str) -> None:
    key = make_key(role)  # type: ignore[arg-type]

    assert key.text.startswith(f"aml_{letter}_")
    assert key.prefix == key.text[:12]
    assert key.text.encode() not in key.hash
    assert is_plausible(key.text)


def test_two_keys_of_one_prefix_are_told_apart() -> None:
    one, other = "aml_p_aaaaaaXXXXXXXXXX", "aml_p_aaaaaaYYYYYYYYYY"
    stored = [a_stored_key(one), a_stored_key(other, "other")]

    assert describe_key(one).prefix == describe_key(other).prefix
    assert match_key(other, stored) == stored[1]
    assert match_key("aml_p_aaaaaaZZZZZZZZZZ", stored) is None
    assert match_key(one, []) is None


def test_an_ended_key_is_recognised_and_told_why_it_opens_nothing() -> None:
    text = "aml_p_aaaaaaXXXXXXXXXX"

    assert why_refused(a_stored_key(text)) is None
    assert why_refused(a_stored_key(text, revoked=True)) == "key_revoked"
    assert why_refused(a_stored_key(text, expired=True)) == "key_expired"
    assert why_refused(a_stored_key(text, expired=True, revoked=True)) == "key_revoked"


@given(st.text(min_size=1, max_size=60), st.text(min_size=1, max_size=60))
def test_only_the_very_text_matches(kept: str, shown: str) -> None:
    assert (match_key(shown, [a_stored_key(kept)]) is not None) is (kept == shown)


@pytest.mark.parametrize("text", ["", "short", "ключ-ключ-ключ-ключ", "has a\nline break in it"])
def test_what_cannot_be_a_key_is_not_looked_up(text: str) -> None:
    assert not is_plausible(text)


def test_a_key_ends_later_than_it_begins() -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    now_ms = int(now.timestamp() * 1000)

    assert expiry_problem(None, now_ms=now_ms) is None
    assert expiry_problem(datetime(2026, 1, 2, tzinfo=UTC), now_ms=now_ms) is None
    assert expiry_problem(now, now_ms=now_ms) is not None
    assert expiry_problem(datetime(2025, 12, 31, tzinfo=UTC), now_ms=now_ms) is not None
