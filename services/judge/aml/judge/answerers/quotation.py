"""Turns the chosen memories into a short answer of the shape that the question asks for."""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal

from aml.judge.language.dates import MONTH_NAMES, PartialDate, dates_in
from aml.judge.language.numbers import Quantity, canonical, quantities_in
from aml.judge.language.polarity import is_negated
from aml.judge.language.words import term_set

from .memory_ranking import MemoryParts
from .question_shape import QuestionShape
from .relative_dates import in_words, resolve_relative

SHORT_BODY = 100
"""Characters. A memory this short is quoted whole: its other sentence is as likely to hold the answer."""

_COUNTED = re.compile(r"[^\s,.;!?。，；！？]*(?:\s+[^\s,.;!?。，；！？]+){0,2}")
_SENTENCE = re.compile(r"[^.!?。！？\n]+(?:[.!?。！？]+(?=\s|$|[^\x00-\x7f])|[.!?]+(?=\S)|\n|$)+[\"'”’)]*")


def quote(shape: QuestionShape, terms: frozenset[str], parts: Sequence[MemoryParts], *, zh: bool) -> str:
    """`parts` is not empty, best memory first; `terms` are the question's."""
    best = _best_sentence(parts[0], terms)
    match shape.wants:
        case "date":
            return _date_answer(parts[0], best) or best
        case "number":
            return _number_answer(best, terms) or _sentences(parts, terms)
        case "span":
            return _days_between(parts, zh=zh) or _number_answer(best, terms) or _sentences(parts, terms)
        case "total":
            return _total(parts, terms) or _sentences(parts, terms)
        case "polarity":
            negated = is_negated(best)
            word = ("不是" if negated else "是") if zh else ("No" if negated else "Yes")
            return f"{word}，{best}" if zh else f"{word}, {best}"
        case "text":
            return _sentences(parts, terms)


def _sentences(parts: Sequence[MemoryParts], terms: frozenset[str]) -> str:
    return " ".join(dict.fromkeys(_best_sentence(part, terms) for part in parts))


def _best_sentence(parts: MemoryParts, terms: frozenset[str]) -> str:
    """The sentence with most of the question's words that also says something new, and asks nothing.

    With the next one, if it says little beside the question's words.
    """
    sentences: list[str] = [text for found in _SENTENCE.findall(parts.body) if (text := found.strip())]
    if len(sentences) <= 1 or len(parts.body) <= SHORT_BODY:
        return parts.body.strip()
    found = [term_set(sentence) for sentence in sentences]
    values = [
        2 * len(words & terms) + min(len(words - terms), 4) - (3 if sentence.endswith(("?", "？")) else 0)
        for sentence, words in zip(sentences, found, strict=True)
    ]
    best = values.index(max(values))
    if len(found[best] - terms) < 2 and best + 1 < len(sentences):
        return f"{sentences[best]} {sentences[best + 1]}"
    return sentences[best]


def _date_answer(parts: MemoryParts, sentence: str) -> str | None:
    """A date in the sentence, else in the memory, else the day on which it was said."""
    for text in (sentence, parts.body):
        if parts.said_on is not None and (resolved := resolve_relative(text, parts.said_on)) is not None:
            return resolved
        dated = [found for found in dates_in(text) if found.month is not None or found.year is not None]
        if dated:
            return _spell(dated[0], parts.said_on)
    return None if parts.said_on is None else in_words(parts.said_on)


def _spell(found: PartialDate, said_on: date | None) -> str:
    """A date without a year is taken to be in the year in which it was said."""
    year = found.year if found.year is not None else (said_on.year if said_on is not None else None)
    month = None if found.month is None else MONTH_NAMES[found.month - 1]
    return " ".join(str(part) for part in (found.day, month, year) if part is not None)


def _number_answer(sentence: str, terms: frozenset[str]) -> str | None:
    """The number with the two words after it."""
    best = _fitting_number(sentence, terms)
    if best is None:
        return None
    return sentence[best.start : best.end] + _counted(sentence, best)


def _fitting_number(text: str, terms: frozenset[str]) -> Quantity | None:
    """Of several numbers the one whose next two words share most with the question."""
    found = quantities_in(text)
    if not found:
        return None
    return max(found, key=lambda number: (len(term_set(_counted(text, number)) & terms), -number.start))


def _counted(text: str, number: Quantity) -> str:
    match = _COUNTED.match(text, number.end)
    return "" if match is None else match[0]


def _total(parts: Sequence[MemoryParts], terms: frozenset[str]) -> str | None:
    """The sum of one number from each of two or more memories."""
    found = [number for part in parts if (number := _fitting_number(part.body, terms)) is not None]
    return canonical(str(sum(Decimal(number.value) for number in found))) if len(found) > 1 else None


def _days_between(parts: Sequence[MemoryParts], *, zh: bool) -> str | None:
    """Days from the earliest to the latest of the events that the memories tell."""
    days = [day for part in parts if (day := _event_day(part)) is not None]
    if len(days) < 2:
        return None
    span = (max(days) - min(days)) // timedelta(days=1)
    return f"{span}天" if zh else f"{span} days"


def _event_day(part: MemoryParts) -> date | None:
    if part.said_on is None:
        return None
    resolved = resolve_relative(part.body, part.said_on)
    for found in dates_in(resolved) if resolved is not None else ():
        if found.year is not None and found.month is not None and found.day is not None:
            return date(found.year, found.month, found.day)
    return part.said_on
