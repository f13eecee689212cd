"""A judge without a model: abstention, dates, numbers, yes or no, and stemmed token recall, in that order.

It reads English and Chinese, and it cannot tell a paraphrase from a wrong answer. Its scores are for comparing runs of one
release, not for comparing with a model judge's.
"""

from collections.abc import Iterable
from fractions import Fraction

from aml.contracts.benchmark import Gold
from aml.judge.language.abstention import is_abstention
from aml.judge.language.dates import PartialDate, dates_in
from aml.judge.language.numbers import Quantity, numbers_in, quantities_in
from aml.judge.language.polarity import is_negated, leading_polarity
from aml.judge.language.words import all_terms, content_terms

from .verdict import RuleScore, failed, passed

RECALL_NEEDED = Fraction(3, 4)


def judge_by_rules(gold: Gold, answer: str) -> RuleScore:
    """1 if the answer agrees with any acceptable answer (or any rubric line, for a question that has a rubric), else 0."""
    if not answer.strip():
        return failed("the answer is empty")
    abstained = is_abstention(answer)
    expected = (*gold.answers, *gold.rubric)
    if gold.abstention or any(is_abstention(reference) for reference in gold.answers):
        return passed("recognised as unanswerable") if abstained else failed("unanswerable, but an answer was given")
    if abstained:
        return failed("abstained from an answerable question")
    objections = []
    for reference in expected:
        objection = _objection(reference, answer)
        if objection is None:
            return passed("agrees with the reference")
        objections.append(objection)
    return failed(objections[0] if objections else "the question has no reference answer")


def _objection(reference: str, answer: str) -> str | None:
    """Why the answer does not agree with this reference; None if it does."""
    wanted_dates, given_dates = dates_in(reference), dates_in(answer)
    for wanted in wanted_dates:
        if not any(given.covers(wanted) for given in given_dates):
            return f"the date {reference[wanted.start : wanted.end].strip()!r} is missing"
    wanted_numbers = _quantities_beside(reference, wanted_dates)
    if missing := wanted_numbers - numbers_in(answer):
        return f"the number {min(missing)} is missing"
    rest = _without_quantities(_without(reference, wanted_dates))
    if (wanted_polarity := leading_polarity(rest)) is not None:
        polarity, rest = wanted_polarity
        if _polarity_of(answer) != polarity:
            return f"the answer should be {polarity!r}"
    elif _contradicts(reference, answer):
        return "one of reference and answer is negated, the other is not"
    return _recall_objection(rest, answer, decided=bool(wanted_dates or wanted_numbers or wanted_polarity))


def _quantities_beside(reference: str, dates: Iterable[PartialDate]) -> frozenset[str]:
    """A lone "one" in a sentence ("one of her friends") is no quantity."""
    numbers = numbers_in(_without(reference, dates))
    if "1" in numbers and "1" not in reference and len(reference.split()) > 2:
        return numbers - {"1"}
    return numbers


def _without(text: str, spans: Iterable[PartialDate | Quantity]) -> str:
    for span in sorted(spans, key=lambda span: span.start, reverse=True):
        text = f"{text[: span.start]} {text[span.end :]}"
    return text


def _without_quantities(text: str) -> str:
    """What was compared as a number is not compared again as a word: "three cats" and "3 cats" agree."""
    return _without(text, quantities_in(text))


def _polarity_of(answer: str) -> str:
    leading = leading_polarity(answer)
    return leading[0] if leading is not None else ("no" if is_negated(answer) else "yes")


def _contradicts(reference: str, answer: str) -> bool:
    """Only where the answer says little besides the reference: a longer one negates something else as often as not."""
    if len(content_terms(answer)) > len(content_terms(reference)) + 3:
        return False
    return is_negated(reference) != is_negated(answer)


def _recall_objection(reference: str, answer: str, *, decided: bool) -> str | None:
    """`decided`: a date, number or polarity has already matched, so a reference without further words agrees."""
    wanted = set(content_terms(reference))
    # The reference has lost its numbers, also the one in "BA117": of the answer's words either form will do.
    given = {*content_terms(answer), *content_terms(_without_quantities(answer))}
    if not wanted:
        if decided:
            return None
        wanted, given = set(all_terms(reference)), set(all_terms(answer))
        if not wanted:
            return None if reference.strip() == answer.strip() else "the reference has no words and the answer differs"
    found = len(wanted & given)
    if Fraction(found, len(wanted)) >= RECALL_NEEDED:
        return None
    return f"{found} of the reference's {len(wanted)} words found"
