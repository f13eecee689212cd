"""The report's wording in each language: one file a language, the same keys in all of them."""

import json
from functools import cache
from pathlib import Path
from typing import Final

from aml.contracts.vocabulary import Language
from aml.publisher import catalogue as board

_FOLDER: Final = Path(__file__).parent / "locales"


class Catalogue(board.Catalogue):
    def named(self, kind: str, name: str) -> str:
        """Of a closed list that others may add to (categories, axes, judge types): an unknown name stands for itself."""
        return self.texts.get(f"{kind}.{name}") or name.replace("_", " ")


@cache
def catalogue(language: Language) -> Catalogue:
    return Catalogue(language, json.loads((_FOLDER / f"{language}.json").read_text("utf-8")))
