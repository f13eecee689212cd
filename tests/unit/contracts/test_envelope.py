"""Tokens and digests decode only as what they say they are."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.contracts.envelope import Digest, Millionths, Token


def decodes(shape: object, value: object) -> bool:
    try:
        msgspec.json.decode(msgspec.json.encode(value), type=shape)
    except msgspec.ValidationError:
        return False
    return True


@given(st.from_regex(r"[A-Za-z0-9_-]{1,80}", fullmatch=True))
def test_a_token_of_a_subject_is_a_token(token: str) -> None:
    assert decodes(Token, token)


@given(st.text(max_size=90))
def test_nothing_else_is_one(text: str) -> None:
    expected = 1 <= len(text) <= 80 and all(char.isascii() and (char.isalnum() or char in "_-") for char in text)
    assert decodes(Token, text) is expected


@pytest.mark.parametrize("text", ["", "a.b", "a b", "*", ">", "job\n", "jöb", "a" * 81, "a\x00"])
def test_what_would_break_a_subject_is_refused(text: str) -> None:
    assert not decodes(Token, text)


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ("a" * 64, True),
        ("A" * 64, False),
        ("a" * 63, False),
        ("a" * 65, False),
        ("a" * 64 + "\n", False),
        ("g" * 64, False),
    ],
)
def test_a_digest_is_64_lower_case_hex_digits(text: str, *, valid: bool) -> None:
    assert decodes(Digest, text) is valid


@pytest.mark.parametrize(
    ("value", "valid"), [(0, True), (1_000_000, True), (-1, False), (1_000_001, False), (0.5, False)]
)
def test_millionths_are_whole_numbers_of_a_fraction(value: float, *, valid: bool) -> None:
    assert decodes(Millionths, value) is valid
