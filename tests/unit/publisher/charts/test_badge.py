import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.publisher.charts import score_badge
from aml.publisher.plain_text import isolated

SVG = "{http://www.w3.org/2000/svg}"


def contrast(one: str, other: str) -> float:
    """WCAG 2.2, contrast ratio."""

    def luminance(colour: str) -> float:
        full = colour if len(colour) == 7 else "#" + "".join(2 * each for each in colour[1:])
        parts = [int(full[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_it_is_a_document_of_its_own_that_says_the_same_to_all_readers() -> None:
    root = ET.fromstring(score_badge("AML", ("Recall", "78.4", "rank 2", "spring")))

    said = "AML: Recall · 78.4 · rank 2 · spring"
    assert root.tag == f"{SVG}svg"
    assert (root.get("aria-label"), root.findtext(f"{SVG}title")) == (said, said)
    assert [each.text for each in root.iter(f"{SVG}text")] == ["AML", "Recall · 78.4 · rank 2 · spring"]


def test_both_texts_can_be_read_on_their_own_ground() -> None:
    fills = re.findall(r'fill="(#[0-9a-f]+)"', score_badge("AML", ("x",)).decode())

    text = fills.pop()
    assert len(fills) == 2
    assert all(contrast(text, ground) >= 4.5 for ground in fills)


def test_a_longer_text_makes_a_wider_badge() -> None:
    short, long = (ET.fromstring(score_badge("AML", (text,))) for text in ("a", "a much longer text"))

    assert int(short.get("width") or 0) < int(long.get("width") or 0)


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", '" onload="x', "]]>", "&amp;"])
def test_a_hostile_name_is_text(name: str) -> None:
    root = ET.fromstring(score_badge("AML", (name,)))

    assert {each.tag for each in root.iter()} == {
        f"{SVG}{tag}" for tag in ("svg", "title", "rect", "path", "g", "text")
    }
    assert not any(attribute.startswith("on") for each in root.iter() for attribute in each.attrib)
    assert root.findtext(f"{SVG}title") == f"AML: {name}"


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_any_name_makes_a_well_formed_document(name: str) -> None:
    ET.fromstring(score_badge("AML", (isolated(name, 40),)))
