"""Both languages say everything, with the same blanks, and nothing that no page shows."""

import re
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

import aml.toolkit.report as package
from aml.contracts.vocabulary import JudgeType
from aml.toolkit.metrics.pentagon import LONGMEMEVAL_AXES, SUITE_AXES
from aml.toolkit.report.catalogue import catalogue
from aml.toolkit.report.failures import OUTCOMES
from aml.toolkit.results.category import Shape
from aml.toolkit.results.provenance import COMPARED
from aml.toolkit.suites.categories import CATEGORIES, Difficulty

FOLDER = Path(package.__file__).parent
SOURCES = "".join(path.read_text("utf-8") for path in sorted(FOLDER.rglob("*")) if path.suffix in {".html", ".py"})
LISTS = {
    "category": (*CATEGORIES, *(name for members in LONGMEMEVAL_AXES.values() for name in members)),
    "axis": (*SUITE_AXES, *LONGMEMEVAL_AXES),
    "judge": get_args(JudgeType),
    "difficulty": get_args(Difficulty),
    "shape": get_args(Shape),
    "outcome": OUTCOMES,
    "field": tuple(COMPARED),
}
"""Closed lists whose keys are put together: each name of them has its words."""


def blanks(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_both_languages_have_the_same_keys_and_blanks() -> None:
    english, chinese = catalogue("en").texts, catalogue("zh").texts

    assert list(english) == list(chinese)
    assert {key: blanks(text) for key, text in english.items()} == {key: blanks(text) for key, text in chinese.items()}


@pytest.mark.parametrize("kind", LISTS)
def test_every_name_of_a_closed_list_has_its_words(kind: str) -> None:
    missing = [name for name in LISTS[kind] if f"{kind}.{name}" not in catalogue("en").texts]
    assert missing == []


def test_every_key_that_is_asked_for_exists_and_every_key_is_asked_for() -> None:
    asked = set(re.findall(r"\bt\(\s*['\"]([a-z0-9_.]+)['\"]", SOURCES)) - {f"{kind}." for kind in LISTS}
    keys = set(catalogue("en").texts)

    assert asked <= keys
    assert {key for key in keys - asked if key.split(".")[0] not in LISTS} == set()


def test_chinese_is_chinese() -> None:
    same = {key for key, text in catalogue("zh").texts.items() if text == catalogue("en").texts[key]}
    assert same == {"of"}


def test_a_name_beyond_the_lists_stands_for_itself() -> None:
    assert catalogue("en").named("category", "own_category") == "own category"


def test_an_unknown_key_is_a_defect() -> None:
    with pytest.raises(KeyError):
        catalogue("en")("nothing.of.the.kind")
