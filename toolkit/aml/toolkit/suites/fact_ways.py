"""All the ways to say a fact, for a judge that reads literally: an ISO date stands for each way to write that day."""

import re
from collections.abc import Iterable
from datetime import date
from typing import Final

from aml.ingest.benchmarks.dates import MONTHS
from aml.ingest.benchmarks.practice.calendar_terms import date_forms

from .categories import Language

_ISO: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def ways_to_say(ways: Iterable[str], language: Language) -> tuple[str, ...]:
    """In order and without repetition; a date's natural form comes before the ISO form it was given in."""
    said: dict[str, None] = {}
    for way in ways:
        day = iso_day(way)
        said.update(dict.fromkeys([way] if day is None else _day_ways(day, language)))
    return tuple(said)


def iso_day(text: str) -> date | None:
    if _ISO.fullmatch(text) is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _day_ways(day: date, language: Language) -> tuple[str, ...]:
    """With the year and without it, since a question often settles the year."""
    forms = date_forms(day, language)
    if language == "zh":
        return (*forms, f"{day.month}月{day.day}日", f"{day.month}月{day.day}号")
    month = MONTHS[day.month - 1]
    short = month[:3]
    nth = f"{day.day}{_suffix(day.day)}"
    return (
        *forms,
        f"{day.day} {month}",
        f"{month} {day.day}",
        f"{nth} of {month}",
        f"{nth} {month}",
        f"{month} {nth}",
        f"{short} {day.day}",
        f"{day.day} {short}",
    )


def _suffix(day: int) -> str:
    return "th" if 11 <= day % 100 <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
