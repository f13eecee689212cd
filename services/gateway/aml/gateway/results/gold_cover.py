"""What would tell a right answer is left out, where the release keeps its gold to itself. Pure."""

import re
from collections.abc import Iterator

from msgspec import UNSET
from msgspec.structs import replace

from aml.contracts.benchmark import Gold
from aml.contracts.packs import VerdictRecord

COVER = "▒▒▒"
MIN_CHARS = 2
"""A choice's letter stands in too many words to be found among them."""


def cover_gold(verdict: VerdictRecord, gold: Gold) -> VerdictRecord:
    """The reason without the words of any right answer, and without the judge's own reply, which may say them otherwise."""
    return replace(verdict, reason=covered(verdict.reason, gold), judge_reply=None)


def covered(text: str, gold: Gold) -> str:
    told = sorted({words.strip() for words in _told_by(gold) if len(words.strip()) >= MIN_CHARS}, key=len, reverse=True)
    if not told:
        return text
    return re.sub("|".join(map(re.escape, told)), COVER, text, flags=re.IGNORECASE)


def _told_by(gold: Gold) -> Iterator[str]:
    yield from gold.answers
    yield from gold.rubric
    if gold.facts is not UNSET:
        for fact in gold.facts:
            yield from fact.any
    if gold.forbidden is not UNSET:
        for ways in gold.forbidden:
            yield from ways
