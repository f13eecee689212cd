from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.publisher.plain_text import isolated

CONTROLS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def test_plain_latin_stays_as_it_is() -> None:
    assert isolated("Recall 2.0") == "Recall 2.0"


@pytest.mark.parametrize("control", CONTROLS)
def test_a_control_of_direction_cannot_reach_what_follows(control: str) -> None:
    assert isolated(f"abc{control}def") == "abcdef"


def test_other_scripts_keep_their_direction_to_themselves() -> None:
    assert isolated("ذاكرة") == "\u2068ذاكرة\u2069"


def test_lines_become_one_and_long_ones_end() -> None:
    assert isolated("a\n\n b\tc") == "a b c"
    assert isolated("x" * 50, 10).strip("\u2068\u2069") == "x" * 9 + "…"


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_can_stand_in_an_xml_document(text: str) -> None:
    element = ET.Element("title")
    element.text = isolated(text)

    read = ET.fromstring(ET.tostring(element, encoding="utf-8")).text or ""

    assert read == element.text
    assert not any(each < " " for each in read)
