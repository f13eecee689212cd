import pytest

from aml.toolkit.suites.scenario import Hook, Line
from aml.toolkit.suites.talk import TalkUnreadable, read_talk


def test_turns_labels_and_hooks() -> None:
    talk = "\nU[shelf]: On shelf 9: mine.\n  A: Noted.\n\n~3\n"
    assert read_talk(talk) == (Line("user", "On shelf 9: mine.", "shelf"), Line("assistant", "Noted."), Hook(3))


@pytest.mark.parametrize("line", ["B: who?", "U:", "U[Shelf]: upper case", "~", "~x", "just words", "U[]: none"])
def test_another_line_is_refused_with_its_number(line: str) -> None:
    with pytest.raises(TalkUnreadable) as caught:
        read_talk(f"U: fine\n{line}")
    assert caught.value.line == 2
    assert line.strip()[:60] in str(caught.value)
