"""Texts of others become one harmless line."""

from hypothesis import given
from hypothesis import strategies as st

from aml.toolkit.shown_text import one_line, shown

HOSTILE = "\x1b[2J[bold]x[/bold]\n\u202eevil"


def test_a_text_of_others_is_one_harmless_line() -> None:
    assert shown(HOSTILE) == "[2J[bold]x[/bold] evil"
    assert shown(None) == "—"


def test_a_long_text_is_cut_where_it_is_asked_for() -> None:
    assert shown("x" * 500, 40) == "x" * 39 + "…"
    assert shown("x" * 40, 40) == "x" * 40
    assert one_line("x" * 500) == "x" * 500


@given(st.text())
def test_nothing_is_left_that_a_terminal_obeys(text: str) -> None:
    line = one_line(text)

    assert line.isprintable()
    assert line == " ".join(line.split())
    assert one_line(line) == line
