"""How a session's turns become Add requests, and the frozen word counter that a release names.

The counter `unicode-words-1` must give one number on every machine for ever, so it does not lean on the Unicode version of
the interpreter: it reads the Unicode 3.2 database that Python carries unchanged for IDNA.

A word is
- one CJK ideograph (the ranges of `_IDEOGRAPHS`), or
- a longest run of other characters that are neither separators nor ideographs.

Separators are the characters below U+10000 that Unicode 3.2 calls separator (Z*), punctuation (P*), symbol (S*) or control
(Cc). So letters, digits and combining marks make words, `don't` is two words, `3.14` is two, `well-known` is two, a kana or
Hangul run is one, and characters that Unicode 3.2 did not know (new scripts, most emoji) count as letters.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import Final

from aml.contracts.benchmark import Turn

_IDEOGRAPHS: Final = (
    (0x3005, 0x3005),  # the iteration mark stands for an ideograph
    (0x3007, 0x3007),  # ideographic zero
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),  # the two ideographic planes, whole
)


def count_words(text: str) -> int:
    """Words of `text` by `unicode-words-1` (see the module)."""
    if text.isascii():
        # ASCII has no ideographs, so blanking the separators and splitting is the same count, four times as fast.
        return len(text.translate(_ascii_blanks()).split())
    return len(_word_pattern().findall(text))


def chunk_turns(turns: Sequence[Turn], *, max_messages: int = 20, max_words: int = 2000) -> list[tuple[Turn, ...]]:
    """The chunks of one session, in order. Pass the turns of a single session: a chunk never crosses sessions.

    A turn opens a new chunk when the current one has `max_messages` turns, or would exceed `max_words` with it. A turn is
    never split; one that is longer than `max_words` by itself is a chunk of its own.
    """
    if max_messages < 1 or max_words < 1:
        raise ValueError(f"a chunk holds at least one message and one word, not {max_messages} and {max_words}")
    chunks: list[tuple[Turn, ...]] = []
    current: list[Turn] = []
    words, counted = 0, False  # not counted: as many as there can be
    for turn in turns:
        more = count_words(turn.content) if counted else _most_words(turn.content)
        if not counted and words + more > max_words:
            words, counted = sum(count_words(each.content) for each in current), True
            more = count_words(turn.content)
        if current and (len(current) == max_messages or words + more > max_words):
            chunks.append(tuple(current))
            current, words, counted = [], 0, False
        current.append(turn)
        words += more
    if current:
        chunks.append(tuple(current))
    return chunks


def _most_words(text: str) -> int:
    """Not below `count_words`, and at a twentieth of its cost: between two words of ASCII stands a separator."""
    return (len(text) + 1) // 2 if text.isascii() else len(text)


def _is_separator(character: str) -> bool:
    category = unicodedata.ucd_3_2_0.category(character)
    return category[0] in "ZPS" or category == "Cc"


def _is_ideograph(point: int) -> bool:
    return any(low <= point <= high for low, high in _IDEOGRAPHS)


@cache
def _ascii_blanks() -> dict[int, str]:
    return {point: " " for point in range(0x80) if _is_separator(chr(point))}


@cache
def _word_pattern() -> re.Pattern[str]:
    # Built on first use: 5 ms that a process which never chunks need not spend.
    separators = "".join(
        re.escape(chr(point))
        for point in range(0x10000)
        if not 0xD800 <= point <= 0xDFFF and not _is_ideograph(point) and _is_separator(chr(point))
    )
    ideographs = "".join(f"{chr(low)}-{chr(high)}" for low, high in _IDEOGRAPHS)
    return re.compile(f"[{ideographs}]|[^{separators}{ideographs}]+")
