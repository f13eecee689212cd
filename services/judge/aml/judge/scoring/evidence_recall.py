"""Which share of the gold evidence came back among the returned memories, by text."""

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from aml.judge.language.words import fold

from .verdict import millionths

_GAP = re.compile(r"[\W_]+")
_SEPARATOR = "\x00"


def evidence_recall(evidence_texts: Sequence[str], memories: Sequence[str]) -> int | None:
    """Millionths; None where the question names no evidence.

    An evidence turn is found if its words stand in one memory in their order, whatever the case, spaces and punctuation:
    systems put dates and speakers around a turn, and a rewritten turn does not count.
    """
    wanted = [words for text in evidence_texts if (words := _words(text)).strip()]
    if not wanted:
        return None
    everything = _SEPARATOR.join(map(_words, memories))
    return millionths(Fraction(sum(words in everything for words in wanted), len(wanted)))


@lru_cache(maxsize=8_192)
def _words(text: str) -> str:
    """Words with one blank between and around them, so that "art" is not found in "party"."""
    return f" {_GAP.sub(' ', fold(text)).strip()} "
