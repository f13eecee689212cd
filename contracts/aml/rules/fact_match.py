"""Whether a text says something in one of the given ways: literally, but for case, width, dashes and blanks.

A way that begins or ends with a Latin letter or a digit must stand as a word there: `47` is said by "no. 47", "在47号",
"47th" and "47cm", not by "147", "4.7", "47.5" or "47b". This reads no paraphrase; what may be said otherwise needs another way.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

_WORD: Final = "0-9a-z\u00df-\u024f"
_DASHES_AND_BLANKS: Final = re.compile(r"[\s\u00ad\u2010-\u2015\u2212-]+")
_THOUSANDS: Final = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_UNIT: Final = re.compile(r"(?<=[0-9])(?=(?:st|nd|rd|th|am|pm|mm|cm|m|km|mg|kg|ml|min)(?![0-9a-z\u00df-\u024f]))")
_QUOTES: Final = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})


def says(text: str, ways: Iterable[str]) -> bool:
    folded = fold(text)
    return any(pattern.search(folded) is not None for way in ways if (pattern := _pattern(way)) is not None)


def fold(text: str) -> str:
    """Lower case, one width, dashes and runs of blanks as one blank, no commas in thousands, units apart from numbers."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_QUOTES)
    return _DASHES_AND_BLANKS.sub(" ", _UNIT.sub(" ", _THOUSANDS.sub("", text.lower())))


@lru_cache(maxsize=4_096)
def _pattern(way: str) -> re.Pattern[str] | None:
    """None for a way of blanks only, which every text would say."""
    folded = fold(way).strip()
    if not folded:
        return None
    before = rf"(?<![{_WORD}])" if re.match(f"[{_WORD}]", folded) else ""
    after = rf"(?![{_WORD}])" if re.search(f"[{_WORD}]$", folded) else ""
    if folded[0].isdigit():
        before += r"(?<!\d[.,])"
    if folded[-1].isdigit():
        after += r"(?![.,]\d)"
    return re.compile(before + re.escape(folded) + after)
