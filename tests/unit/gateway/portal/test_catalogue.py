"""Both languages say the same things under the same names."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from aml.gateway.portal.catalogue import catalogue

_PLACE = re.compile(r"\{(\w+)\}")
_ENGLISH = re.compile(r"\b[a-z]{3,}\b")


def shape(texts: Any, path: str = "") -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every text's place, and what is filled into it."""
    if isinstance(texts, dict):
        for key, inner in texts.items():
            yield from shape(inner, f"{path}.{key}")
    elif isinstance(texts, list):
        for place, inner in enumerate(texts):
            yield from shape(inner, f"{path}[{place}]")
    else:
        yield path, tuple(sorted(set(_PLACE.findall(texts))))


def leaves(texts: Any) -> Iterator[str]:
    if isinstance(texts, dict):
        texts = list(texts.values())
    if isinstance(texts, list):
        for inner in texts:
            yield from leaves(inner)
    else:
        yield texts


def test_english_and_chinese_have_the_same_keys_lists_and_places() -> None:
    assert dict(shape(catalogue("en").texts)) == dict(shape(catalogue("zh").texts))


def test_no_text_is_empty_or_padded() -> None:
    for language in ("en", "zh"):
        for text in leaves(catalogue(language).texts):
            assert text
            assert text == text.strip() or text == ", "


def test_long_english_texts_were_translated() -> None:
    english, chinese = (list(leaves(catalogue(language).texts)) for language in ("en", "zh"))
    same = [
        text for text, other in zip(english, chinese, strict=True) if text == other and len(_ENGLISH.findall(text)) > 3
    ]
    assert same == []


def test_values_are_filled_in() -> None:
    assert catalogue("en")("leaderboard.whole", n="7").startswith("The whole board: 7")


@pytest.mark.parametrize("key", ["home.nothing", "home", "home.tracks.title.more"])
def test_an_unknown_key_is_a_defect(key: str) -> None:
    with pytest.raises(KeyError):
        catalogue("en")(key)
