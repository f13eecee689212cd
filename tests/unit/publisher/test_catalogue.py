import re
from pathlib import Path
from string import Formatter

import pytest

from aml.publisher import catalogue as module
from aml.publisher.catalogue import LANGUAGES, Language, catalogue

TEMPLATES = Path(module.__file__).parent / "templates"


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_all_languages_say_the_same_things() -> None:
    english, chinese = (catalogue(language).texts for language in LANGUAGES)

    assert english.keys() == chinese.keys()
    for key in english:
        assert placeholders(english[key]) == placeholders(chinese[key]), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_key_that_a_template_names_exists(language: Language) -> None:
    named = {
        key
        for template in TEMPLATES.glob("*.html")
        for key in re.findall(r"""\bt\('([a-z0-9_.]+[a-z0-9_])'[,)]""", template.read_text("utf-8"))
    }

    assert len(named) > 50
    assert named <= catalogue(language).texts.keys()


def test_an_unknown_key_is_an_error() -> None:
    with pytest.raises(KeyError):
        catalogue("en")("no.such.key")


def test_no_key_is_left_over() -> None:
    """Keys that are put together (`t('track.' ~ track)`) count by their first part."""
    source = "".join(
        path.read_text("utf-8")
        for path in TEMPLATES.parent.rglob("*")
        if path.suffix in {".html", ".py"} and path.is_file()
    )
    families = set(re.findall(r"""\bt\(f?['"]([a-z_.]+\.)(?:['"] ~|\{)""", source))
    single = [key for key in catalogue("en").texts if not key.startswith(tuple(families))]

    assert len(families) > 5
    assert [key for key in single if f"'{key}'" not in source and f'"{key}"' not in source] == []
