"""Keys: their form, what is kept of them, and how they are recognised."""

import pytest

from aml.gateway.keys.keys import Caller, StoredKey, describe_key, is_plausible, make_key, match_key


@pytest.mark.parametrize(("role", "letter"), [("participant", "p"), ("reviewer", "r"), ("operator", "o")])
def test_a_key_shows_its_role_and_little_else(role: str, letter: str) -> None:
    key = make_key(role)  # type: ignore[arg-type]

    assert key.text.startswith(f"aml_{letter}_")
    assert key.prefix == key.text[:12]
    assert key.text.encode() not in key.hash
    assert is_plausible(key.text)


def test_two_keys_of_one_prefix_are_told_apart() -> None:
    one, other = describe_key("aml_p_aaaaaaXXXXXXXXXX"), describe_key("aml_p_aaaaaaYYYYYYYYYY")
    stored = [
        StoredKey(key_id="one", role="participant", hash=one.hash),
        StoredKey(key_id="other", role="participant", hash=other.hash),
    ]

    assert one.prefix == other.prefix
    assert match_key(other.text, stored) == Caller(key_id="other", role="participant")
    assert match_key("aml_p_aaaaaaZZZZZZZZZZ", stored) is None
    assert match_key(one.text, []) is None


@pytest.mark.parametrize("text", ["", "short", "ключ-ключ-ключ-ключ", "has a\nline break in it"])
def test_what_cannot_be_a_key_is_not_looked_up(text: str) -> None:
    assert not is_plausible(text)
