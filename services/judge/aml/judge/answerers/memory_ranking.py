"""Which of the returned memories speak about the question: overlap of stemmed content words, rare ones counting more."""

import re
from collections.abc import Sequence
from datetime import date
from math import fsum, log

from msgspec import Struct

from aml.judge.language.words import term_set

_HEAD = re.compile(
    r"^\s*\[?(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})[^\]\n]{0,24}?\]\s*|^\s*(?P<y2>\d{4})-(?P<m2>\d{2})-(?P<d2>\d{2})[:T\s][^\]\n]{0,12}?[:\s]\s*"
)
_SPEAKER = re.compile(r"^(?P<name>[^:：\n.!?。]{1,40})[:：]\s*")

FEW = 3

_LENGTH_SHARE = 0.25
"""How much of a memory's length counts against it, as in BM25's b."""
_RANK_BONUS = 0.15
"""The participant's own order is evidence too, and decides ties."""


class RankedMemory(Struct, frozen=True, kw_only=True):
    text: str
    position: int
    """In the participant's order, from 0."""
    score: float
    matched: frozenset[str]


class MemoryParts(Struct, frozen=True, kw_only=True):
    said_on: date | None
    speaker: str
    body: str


def rank_memories(terms: Sequence[str], memories: Sequence[str]) -> list[RankedMemory]:
    """Those that share a term with the question, best first; ties in the participant's order.

    Of a short list (at most `FEW`) all are kept: whoever returns so little says that each item matters.
    """
    wanted = frozenset(terms)
    sets = [term_set(memory) for memory in memories]
    few = len(memories) <= FEW
    hits = [(i, matched) for i, found in enumerate(sets) if (matched := wanted & found) or few]
    if not hits:
        return []
    frequency: dict[str, int] = {}
    for _, matched in hits:
        for term in matched:
            frequency[term] = frequency.get(term, 0) + 1
    total = len(sets)
    weight = {term: log(1 + (total + 1) / (count + 0.5)) for term, count in frequency.items()}
    mean = sum(map(len, sets)) / total or 1.0
    ranked = [
        RankedMemory(
            text=memories[i],
            position=i,
            score=fsum(map(weight.__getitem__, matched))  # exact, whatever order the set has in this process
            / (1 - _LENGTH_SHARE + _LENGTH_SHARE * len(sets[i]) / mean)
            * (1 + _RANK_BONUS / (1 + 0.2 * i)),
            matched=matched,
        )
        for i, matched in hits
    ]
    ranked.sort(key=lambda memory: -memory.score)
    return ranked


def parts_of(memory: str) -> MemoryParts:
    """Splits `[2023-05-08] Caroline: …`. Either part of the head may be absent."""
    said_on = None
    head = _HEAD.match(memory)
    if head is not None:
        year, month, day = (int(head[key] or head[f"{key}2"]) for key in ("y", "m", "d"))
        said_on = _date(year, month, day)
        memory = memory[head.end() :]
    speaker = _SPEAKER.match(memory)
    if speaker is None:
        return MemoryParts(said_on=said_on, speaker="", body=memory)
    return MemoryParts(said_on=said_on, speaker=speaker["name"].strip(), body=memory[speaker.end() :])


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:  # 2023-02-30: no head of a memory, just text
        return None
