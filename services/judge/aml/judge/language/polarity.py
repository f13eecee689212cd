"""Yes, no, and negation."""

import re
from typing import Literal

from .words import fold

Polarity = Literal["yes", "no"]

_LEADING_EN = re.compile(r"^\W*(?:(?P<yes>yes|yeah|yep|correct|true)|(?P<no>no|nope|not|never|false))(?![\w'])")
_LEADING_ZH = re.compile(
    r"^\W*(?:(?P<yes>是的|是|对|有的|会的?)|(?P<no>不是|不会|不|没有|没|否))(?=$|[\s，。,.；;！!])"
)
_NEGATION = re.compile(
    r"\b(?:not|never|no longer|without|neither|nor|cannot|none)\b|n't\b|不再|不(?!错|仅|但|只|过)|没(?!错)|未(?!来)"
)


def leading_polarity(text: str) -> tuple[Polarity, str] | None:
    """The yes or no that a text begins with, and the rest of it; None where it begins with something else."""
    folded = fold(text).strip()
    match = _LEADING_EN.match(folded) or _LEADING_ZH.match(folded)
    if match is None:
        return None
    return ("yes" if match["yes"] else "no"), folded[match.end() :].strip(" ,.;:!，。；！")


def is_negated(text: str) -> bool:
    return _NEGATION.search(fold(text)) is not None
