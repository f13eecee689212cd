"""Which one, two or three of the ranked memories the answer is made from."""

import re
from collections.abc import Sequence

from aml.judge.language.words import content_terms, term_set

from .memory_ranking import FEW, RankedMemory, parts_of
from .question_shape import QuestionShape

NEAR_BEST = 0.7
"""A memory scoring at least this share of the best one competes with it on date."""
SECOND_MEMORY = 0.5
"""A second memory is used too if it scores at least this share of the best one and adds a word of the question."""
RARE_NAME = 0.1
"""A name in at most this share of the memories may lead from one to another; the speakers' names are in most of them."""

_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][a-z]{2,}\b")


def select_memories(
    ranked: Sequence[RankedMemory], shape: QuestionShape, memories: Sequence[str], terms: Sequence[str]
) -> list[RankedMemory]:
    """The best memory, by date among near equals where the question asks for it, and what completes it.

    Of a short list all (at most `FEW`). Else a memory about somebody whom the best one names ("my cousin Imre" leads to
    what Imre does), or the next one that adds a word of the question.
    """
    best = ranked[0]
    if shape.order != "any":
        rivals = [memory for memory in ranked[:12] if memory.score >= NEAR_BEST * best.score]
        newest = shape.order == "latest"
        best = max(rivals, key=lambda memory: (_age_key(memory, newest=newest), memory.score))
    if len(memories) <= FEW:
        return [best, *(memory for memory in ranked if memory is not best)]
    second = _named_in(best, memories, frozenset(terms)) or next(
        (m for m in ranked[:8] if m is not best and m.score >= SECOND_MEMORY * best.score and m.matched - best.matched),
        None,
    )
    return [best] if second is None else [best, second]


def _named_in(best: RankedMemory, memories: Sequence[str], terms: frozenset[str]) -> RankedMemory | None:
    """The memory that shares a rare name with the best one, the first such name, and most of the question's other words."""
    names = dict.fromkeys(content_terms(" ".join(_NAME.findall(parts_of(best.text).body))))
    for name in names:  # in their order: a set's order differs from process to process, and with it the answer would
        if name in terms:
            continue
        holders = [i for i, memory in enumerate(memories) if name in term_set(memory) and memory != best.text]
        if not 0 < len(holders) <= RARE_NAME * len(memories):
            continue
        position = max(holders, key=lambda i: (len((term_set(memories[i]) & terms) - best.matched), -i))
        text = memories[position]
        return RankedMemory(text=text, position=position, score=0.0, matched=term_set(text) & terms)
    return None


def _age_key(memory: RankedMemory, *, newest: bool) -> int:
    said_on = parts_of(memory.text).said_on
    if said_on is None:
        return -(10**9)
    return said_on.toordinal() if newest else -said_on.toordinal()
