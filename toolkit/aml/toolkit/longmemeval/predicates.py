"""A reference answer taken apart into the things that it says, for a judge that is asked about each of them."""

import re
from typing import Final

from msgspec.structs import replace

from aml.contracts.benchmark import Gold

_END: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"'(])|\s*[;\n]+\s*|(?<=[.!?])\s*\n+\s*")
_ABBREVIATED: Final = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St|Prof|No|vs|approx|e\.g|i\.e)\.$")
_LIST: Final = re.compile(r",\s+(?:and\s+)?|\s+and\s+")
_LISTED_WORDS: Final = 6


def predicates_of(answer: str) -> tuple[str, ...]:
    """Sentences and clauses between semicolons; a bare list ("red, green and blue") by its items. At least one for any text."""
    parts: list[str] = []
    for part in (piece.strip() for piece in _END.split(answer)):
        if not part:
            continue
        if parts and _ABBREVIATED.search(parts[-1]):
            parts[-1] = f"{parts[-1]} {part}"
        else:
            parts.append(part)
    if len(parts) == 1 and len(items := _items(parts[0])) > 1:
        return items
    return tuple(parts)


def with_predicates(gold: Gold) -> Gold:
    """An abstention has nothing to be taken apart."""
    return gold if gold.abstention or not gold.answers else replace(gold, rubric=predicates_of(gold.answers[0]))


def _items(text: str) -> tuple[str, ...]:
    """Of a list without a sentence around it: at least one comma, and short items."""
    if ", " not in text or re.search(r"\d, \d", text):
        return (text,)
    items = tuple(item.strip(" .") for item in _LIST.split(text) if item.strip(" ."))
    return items if all(len(item.split()) <= _LISTED_WORDS for item in items) else (text,)
