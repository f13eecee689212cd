"""The pages' wording in each language: one file a language, the same keys in all of them."""

import json
from functools import cache
from pathlib import Path

from aml.contracts.vocabulary import Language

LANGUAGES: tuple[Language, ...] = ("en", "zh")

_FOLDER = Path(__file__).parent / "locales"


class Catalogue:
    def __init__(self, language: Language, texts: dict[str, str]) -> None:
        self.language = language
        self.texts = texts

    def __call__(self, key: str, **values: object) -> str:
        """Plain text, to be escaped where it is placed. Raises `KeyError` for an unknown key: a defect in a template."""
        text = self.texts[key]
        return text.format(**values) if values else text


@cache
def catalogue(language: Language) -> Catalogue:
    return Catalogue(language, json.loads((_FOLDER / f"{language}.json").read_text("utf-8")))
