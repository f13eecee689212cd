"""A judge without a model for questions whose gold names facts: which of them an answer asserts, and what it should not have.

What a question type does with that:

standard, preference, counterfactual   the facts' share, weighted by importance; anything forbidden makes it 0
specificity_attack                     the same: right is what is known, forbidden is what was made up
update                                 the same, but a replaced value may be told as past
synthesis                              all of the facts are needed: short of that, at most half
temporal                               the first fact is a date or a number, and a day or one more or less is right
correction_chain                       the facts' share, less 30 points for each earlier value that is asserted as current
abstention                             right is an answer that says that it cannot be known, and asserts nothing forbidden

An answer that abstains is none, unless it asserts a fact all the same ("you never said shelf 6, it is shelf 9") or, for
`specificity_attack`, says what was never told. What a model thinks aloud in `<think>` is no answer. Wording is read literally
(`aml.rules.fact_match`), so a paraphrase that no way of a fact covers is missed; the model judge's release reads those.
"""

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import get_args

from msgspec import UNSET

from aml.contracts.benchmark import Gold, GoldFact
from aml.contracts.packs import FactVerdict
from aml.contracts.vocabulary import JudgeType
from aml.judge.language.abstention import abstains_after_all, admits_ignorance, is_abstention, says_untold
from aml.rules.fact_assertion import asserts, asserts_as_current, undenied
from aml.rules.fact_match import says

from .near_value import is_near
from .verdict import FULL, RuleScore, failed, millionths, passed

FACT_TYPES = frozenset(get_args(JudgeType))
CORRECTION_PENALTY = 300_000
_CURRENT = frozenset({"update", "correction_chain"})
_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)


def judge_by_facts(judge_type: str, gold: Gold, answer: str) -> RuleScore:
    """`judge_type` is one of `FACT_TYPES`. Raises `ValueError` for gold without facts, except for an abstention."""
    answer = _THINKING.sub("", answer)
    forbidden = forbidden_said(judge_type, gold, answer)
    if judge_type == "abstention":
        return _judge_abstention(answer, forbidden)
    facts = gold.facts or ()
    if not facts:
        raise ValueError(f"question {gold.question_id} names no facts to judge by")
    said = tuple(
        FactVerdict(
            text=fact.any[0],
            importance=fact.importance,
            said=_says(judge_type, fact, gold, answer, first=position == 0),
        )
        for position, fact in enumerate(facts)
    )
    abstained = _abstains(judge_type, gold, answer)
    score, reason = _score(judge_type, said, forbidden, abstained=abstained, empty=not answer.strip())
    return RuleScore(score=score, reason=reason, facts=said, forbidden=forbidden)


def forbidden_said(judge_type: str, gold: Gold, answer: str) -> tuple[str, ...]:
    """The first way of everything forbidden that the answer asserts."""
    if gold.forbidden is UNSET or _abstains(judge_type, gold, answer):
        return ()
    test = asserts_as_current if judge_type in _CURRENT else asserts
    return tuple(ways[0] for ways in gold.forbidden if test(answer, ways))


def _abstains(judge_type: str, gold: Gold, answer: str) -> bool:
    """Where more is asked than was ever told, the right answer says what is known and that the rest is not."""
    if not is_abstention(answer) or (judge_type == "specificity_attack" and says_untold(answer)):
        return False
    known = [fact for fact in gold.facts or () if not _is_admission(judge_type, fact)]
    return not any(asserts(answer, fact.any) for fact in known) and (bool(known) or judge_type == "abstention")


def _is_admission(judge_type: str, fact: GoldFact) -> bool:
    """The "fact" that the rest was never told, which may be said in any words."""
    return judge_type == "specificity_attack" and any(admits_ignorance(way) for way in fact.any)


def _judge_abstention(answer: str, forbidden: tuple[str, ...]) -> RuleScore:
    if not answer.strip():
        return failed("the answer is empty")
    if is_abstention(answer) or (not forbidden and abstains_after_all(answer)):
        return passed("recognised as unanswerable")
    made_up = f"; it asserts {forbidden[0]!r}" if forbidden else ""
    return RuleScore(score=0, reason=f"unanswerable, but an answer was given{made_up}", forbidden=forbidden)


def _says(judge_type: str, fact: GoldFact, gold: Gold, answer: str, *, first: bool) -> bool:
    if _is_admission(judge_type, fact):
        return admits_ignorance(answer)
    if judge_type == "temporal" and first and (near := is_near(fact.any, undenied(answer))) is not None:
        return near
    # Where the reference itself tells the fact in a denying clause ("never above 1100"), a denial around it says nothing.
    plain = bool(gold.answers) and says(gold.answers[0], fact.any) and not asserts(gold.answers[0], fact.any)
    return says(answer, fact.any) if plain else asserts(answer, fact.any)


def _score(
    judge_type: str, said: Sequence[FactVerdict], forbidden: Sequence[str], *, abstained: bool, empty: bool
) -> tuple[int, str]:
    if empty:
        return 0, "the answer is empty"
    if abstained:
        return 0, "abstained from an answerable question"
    share = _share(said)
    found = f"{sum(fact.said for fact in said)} of {len(said)} facts"
    if judge_type == "correction_chain":
        score = max(0, millionths(share) - CORRECTION_PENALTY * len(forbidden))
        return score, found + _asserting(forbidden)
    if forbidden:
        return 0, found + _asserting(forbidden)
    if judge_type == "synthesis" and share < 1:
        return millionths(share / 2), f"{found}, and all of them are needed"
    return (FULL if share == 1 else millionths(share)), found


def _share(said: Sequence[FactVerdict]) -> Fraction:
    whole = sum(fact.importance for fact in said)
    if whole == 0:  # nothing matters more than another
        return Fraction(sum(fact.said for fact in said), len(said))
    return Fraction(sum(fact.importance for fact in said if fact.said), whole)


def _asserting(forbidden: Sequence[str]) -> str:
    return f", but it asserts {', '.join(repr(each) for each in forbidden[:3])}" if forbidden else ""
