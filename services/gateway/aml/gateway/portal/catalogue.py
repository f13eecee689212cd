"""The pages' words in each language: one folder a language, the same files with the same keys in all of them."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from aml.contracts.vocabulary import Language

LANGUAGES: tuple[Language, ...] = ("en", "zh")
HTML_LANGUAGE: Mapping[Language, str] = {"en": "en", "zh": "zh-Hans"}
"""What `<html lang>` and `hreflang` say."""

_FOLDER = Path(__file__).parent / "locales"


class Catalogue:
    """`t("docs.title")` is a text; `t.part("docs.sections")` a list or an object of them."""

    def __init__(self, language: Language, texts: Mapping[str, Any]) -> None:
        self.language = language
        self.texts = texts

    def __call__(self, key: str, **values: object) -> str:
        """Plain text, escaped where it is placed. Raises `KeyError` for an unknown key: a defect in a template."""
        text = self.part(key)
        if not isinstance(text, str):
            raise KeyError(key)
        return text.format(**values) if values else text

    def part(self, key: str) -> Any:
        found: Any = self.texts
        for step in key.split("."):
            if not isinstance(found, dict) or step not in found:
                raise KeyError(key)
            found = found[step]
        return found


@cache
def catalogue(language: Language) -> Catalogue:
    files = sorted((_FOLDER / language).glob("*.json"))
    return Catalogue(language, {file.stem: json.loads(file.read_text("utf-8")) for file in files})
