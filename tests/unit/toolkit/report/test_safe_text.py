"""An agent's words are cut and cleaned, and never make the page larger than was allowed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import escape

from aml.toolkit.report.safe_text import excerpt, one_line, readable

ANYTHING = st.text(st.characters(codec=None), max_size=300)


def test_a_short_text_stays_whole() -> None:
    found = excerpt("On shelf 9 & above.", 100)

    assert (found.text, found.whole) == ("On shelf 9 & above.", None)


def test_a_text_of_a_megabyte_is_cut_and_says_so() -> None:
    found = excerpt("x" * 1_000_000, 500)

    assert found.text == "x" * 500
    assert found.whole == 1_000_000


def test_what_escaping_makes_longer_is_cut_sooner() -> None:
    assert excerpt("<" * 100, 100).text == "<" * 25
    assert excerpt("<" * 100, 100).whole == 100


@given(ANYTHING, st.integers(1, 200))
def test_an_excerpt_never_takes_more_bytes_than_it_may(text: str, limit: int) -> None:
    found = excerpt(text, limit)

    assert len(str(escape(found.text)).encode()) <= limit
    assert readable(text).startswith(found.text)
    assert (found.whole is None) == (found.text == readable(text))


@given(ANYTHING)
def test_what_is_readable_can_be_written_and_has_no_controls(text: str) -> None:
    shown = readable(text)

    assert shown.encode().decode() == shown
    assert len(shown) == len(text)
    assert not any(ord(each) < 32 and each not in "\t\n\r" for each in shown)


@pytest.mark.parametrize("text", ["\x00", "\x1b[2J", "\ud800", "\ufffe", "\x85"])
def test_what_a_document_may_not_hold_is_replaced(text: str) -> None:
    assert readable(text)[0] == "\ufffd"


@given(ANYTHING, st.integers(1, 50))
def test_one_line_is_one_line_and_not_longer(text: str, limit: int) -> None:
    shown = one_line(text, limit)

    assert len(shown) <= limit
    assert len(shown.splitlines()) <= 1
