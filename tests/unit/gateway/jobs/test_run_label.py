"""Labels that look the same are the same label."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.gateway.jobs.run_label import MAX_CHARS, label_key, resumed_label, tidy_label, times_resumed

POSTGRES_INDEX_BYTES = 2700


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("  spring  run ", "spring run"),
        ("caf\u00e9", "cafe\u0301"),
        ("run\u00a01", "run 1"),
        ("\uff52\uff55\uff4e", "run"),  # full-width letters
        ("ru\u200bn", "run"),  # a zero-width space in it
        ("\ufb01ne", "fine"),
        ("run\ufe0f", "run"),  # a variation selector behind it
        ("run\u3164", "run"),  # a Hangul filler
    ],
)
def test_what_looks_the_same_has_one_key(one: str, other: str) -> None:
    assert label_key(one) == label_key(other)


@pytest.mark.parametrize(("one", "other"), [("run 1", "run 2"), ("Run", "run"), ("run1", "run 1")])
def test_what_looks_different_stays_apart(one: str, other: str) -> None:
    assert label_key(one) != label_key(other)


@pytest.mark.parametrize("label", ["\u200b", "\u2060\u200d ", "\ufeff", "\u3164", "\u2800\ufe0f", "\uffa0"])
def test_a_label_that_shows_nothing_has_an_empty_key(label: str) -> None:
    assert label_key(label) == ""


@given(st.text(max_size=MAX_CHARS))
def test_a_key_is_stable_and_fits_an_index(label: str) -> None:
    assert label_key(tidy_label(label)) == label_key(label)
    assert len(label_key("\ufdfa" * MAX_CHARS + label).encode("utf-8", "surrogatepass")) < POSTGRES_INDEX_BYTES


@given(st.text(max_size=MAX_CHARS), st.integers(1, 999))
def test_a_resumed_label_counts_on_and_stays_within_bounds(label: str, number: int) -> None:
    once = resumed_label(label, number)

    assert len(once) <= MAX_CHARS
    assert times_resumed(once) == number
    assert times_resumed(resumed_label(once, number + 1)) == number + 1
    assert once.count("(resumed ") == resumed_label(once, number + 1).count("(resumed ")
