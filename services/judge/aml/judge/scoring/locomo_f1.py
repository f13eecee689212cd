"""LoCoMo's own score: token F1 after Porter stemming, with a rule for each category.

Source: the evaluation of snap-research/LoCoMo (`task_eval/evaluation.py`), restated. Everything is counted in fractions, so
that no float decides a millionth.
"""

import re
import string
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from typing import Literal, get_args

import Stemmer

from .verdict import FULL, RuleScore, millionths

LocomoCategory = Literal["multi_hop", "temporal", "open_domain", "single_hop", "adversarial"]
_CATEGORIES: tuple[LocomoCategory, ...] = get_args(LocomoCategory)
_PREFIX = "locomo_"

_ABSTENTIONS = ("no information available", "not mentioned")
_ARTICLES = re.compile(r"\b(a|an|the|and)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_porter = Stemmer.Stemmer("porter")


def locomo_category(question_type: str) -> LocomoCategory | None:
    """None for a type that this rule does not know."""
    name = question_type.removeprefix(_PREFIX)
    return next((category for category in _CATEGORIES if category == name), None) if name != question_type else None


def score_locomo(category: LocomoCategory, reference: str, answer: str) -> RuleScore:
    if category == "adversarial":
        declined = any(phrase in answer.lower() for phrase in _ABSTENTIONS)
        return RuleScore(score=FULL if declined else 0, reason="declined" if declined else "did not decline")
    if category == "multi_hop":
        share = _mean_of_best(reference.split(","), answer.split(","))
        return RuleScore(score=millionths(share), reason="mean over the reference's parts of the best token F1")
    if category == "open_domain":
        reference = reference.split(";", maxsplit=1)[0]
    share = token_f1(reference, answer)
    return RuleScore(score=millionths(share), reason="token F1")


def token_f1(reference: str, answer: str) -> Fraction:
    """2·shared / (words of both), counting repeats. 0 where nothing is shared, so also where either is empty."""
    wanted, given = _normalised(reference), _normalised(answer)
    shared = sum((Counter(wanted) & Counter(given)).values())
    return Fraction(2 * shared, len(wanted) + len(given)) if shared else Fraction(0)


def _mean_of_best(references: list[str], answers: list[str]) -> Fraction:
    best = [max(token_f1(reference, answer) for answer in answers) for reference in references]
    return sum(best, Fraction(0)) / len(best)


@lru_cache(maxsize=4096)
def _normalised(text: str) -> tuple[str, ...]:
    bare = _ARTICLES.sub(" ", text.replace(",", "").lower().translate(_PUNCTUATION))
    return tuple(_porter.stemWords(bare.split()))
