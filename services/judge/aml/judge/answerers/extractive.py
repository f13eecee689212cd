"""Answers from the returned memories without a model: finds the memories that speak about the question and quotes them.

Pure and quick (well under a millisecond for 100 memories), so that a run needs no model to be real. It cannot reason; what
it measures is whether the right memory came back near the top.
"""

from collections.abc import Sequence
from math import fsum, sqrt

from aml.judge.language.abstention import NO_INFORMATION, NO_INFORMATION_ZH
from aml.judge.language.words import content_terms, has_cjk, term_set

from .memory_ranking import FEW, RankedMemory, parts_of, rank_memories
from .memory_selection import select_memories
from .question_shape import shape_of
from .quotation import quote

ANSWERER = "extractive"

MIN_COVERAGE = 0.34
"""Share of the question's content words that the quoted memories must hold; below it the answerer abstains."""
MAX_CHARACTERS = 400


def answer_extractively(question: str, memories: Sequence[str], options: Sequence[str] = ()) -> str:
    """`memories` in rank order. With `options`: the letter of one of them in brackets. Abstains with a fixed phrase."""
    terms = content_terms(question)
    if options:
        return _choose(options, rank_memories(content_terms(" ".join((question, *options))), memories))
    ranked = rank_memories(terms, memories)
    abstention = NO_INFORMATION_ZH if has_cjk(question) else NO_INFORMATION
    if not ranked or not terms:
        return abstention
    shape = shape_of(question)
    few = len(memories) <= FEW
    chosen = select_memories(ranked, shape, memories, terms)
    covered = frozenset[str]().union(*(memory.matched for memory in chosen))
    if not few and len(covered) < MIN_COVERAGE * len(set(terms)):
        return abstention
    return quote(shape, frozenset(terms), [parts_of(memory.text) for memory in chosen], zh=has_cjk(question))[
        :MAX_CHARACTERS
    ]


def _choose(options: Sequence[str], ranked: Sequence[RankedMemory]) -> str:
    """The option whose words weigh most in the best memories.

    Per square root of its length, because a longer option shares more words by chance.
    """
    if not ranked:
        return NO_INFORMATION
    weight: dict[str, float] = {}
    for memory in ranked[:8]:
        for term in term_set(memory.text):
            weight[term] = max(weight.get(term, 0.0), memory.score)
    words = [term_set(option) for option in options]
    values = [fsum(weight.get(term, 0.0) for term in found) / sqrt(len(found) + 1) for found in words]
    return f"({'abcdefghijklmnopqrstuvwxyz'[values.index(max(values))]})"
