"""The longest prefix of the ranked memories that fits into the answer's input."""

from collections.abc import Sequence
from itertools import accumulate

from msgspec import Struct

from .tokenizer import TokenCount, byte_length

SEPARATOR_TOKENS = 8
"""Allowed for what a prompt puts around one memory (its number, a date, line breaks)."""

MAX_UTF8_BYTES = 4
"""Of one character: what a text without counting can come to."""


class ContextFit(Struct, frozen=True, kw_only=True):
    items: int
    """How many memories fit, from the top."""


def fit_context(memories: Sequence[str], limit: int, count: TokenCount) -> ContextFit:
    """Memories in rank order, `limit` in tokens. The first memory that does not fit ends the prefix: a shorter one below it
    would otherwise overtake a better one.

    A byte-level BPE never makes more tokens than bytes, so where all bytes fit nothing is counted.
    """
    overhead = SEPARATOR_TOKENS * len(memories)
    if (
        MAX_UTF8_BYTES * sum(map(len, memories)) + overhead <= limit
        or sum(map(byte_length, memories)) + overhead <= limit
    ):
        return ContextFit(items=len(memories))
    sizes = accumulate(count(memory) + SEPARATOR_TOKENS for memory in memories)
    return ContextFit(items=sum(1 for total in sizes if total <= limit))
