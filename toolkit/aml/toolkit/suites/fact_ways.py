"""All the ways to say a fact, for a judge that reads literally: an ISO date stands for each way to write that day."""

import re
from calendar import monthrange
from collections.abc import Iterable
from datetime import date
from typing import Final

from aml.contracts.vocabulary import Language
from aml.ingest.benchmarks.dates import MONTHS
from aml.ingest.benchmarks.practice.calendar_terms import date_forms

_DIGITS: Final = "零一二三四五六七八九"
_LEAP_YEAR: Final = 2000
_DAY_AND_MONTH: Final = re.compile(rf"(?P<day>\d{{1,2}}) (?P<month>{'|'.join(MONTHS)})", re.ASCII)
_ISO: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def ways_to_say(ways: Iterable[str], language: Language) -> tuple[str, ...]:
    """In order and without repetition; a date's natural form comes before the ISO form it was given in."""
    said: dict[str, None] = {}
    for way in ways:
        day = iso_day(way)
        said.update(dict.fromkeys(_yearless_ways(way, language) if day is None else _day_ways(day, language)))
    return tuple(said)


def iso_day(text: str) -> date | None:
    if _ISO.fullmatch(text) is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _yearless_ways(way: str, language: Language) -> tuple[str, ...]:
    """A day and a month stand for all ways to write them; anything else for itself."""
    found = _DAY_AND_MONTH.fullmatch(way) if language == "en" else None
    if found is None:
        return (way,)
    month = MONTHS.index(found["month"]) + 1
    if not 1 <= int(found["day"]) <= monthrange(_LEAP_YEAR, month)[1]:
        return (way,)
    ways = _day_ways(date(_LEAP_YEAR, month, int(found["day"])), language)
    return (way, *(each for each in ways if str(_LEAP_YEAR) not in each))


def _day_ways(day: date, language: Language) -> tuple[str, ...]:
    """With the year and without it, since a question often settles the year."""
    forms = date_forms(day, language)
    if language == "zh":
        written = f"{_chinese(day.month)}月{_chinese(day.day)}"
        return (*forms, f"{day.month}月{day.day}日", f"{day.month}月{day.day}号", f"{written}日", f"{written}号")
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
        f"{short} {nth}",
        f"{nth} {short}",
        *_by_numbers(day),
    )


def _by_numbers(day: date) -> tuple[str, ...]:
    """Where no other day could be meant."""
    if 12 >= day.day != day.month:
        return ()
    orders = ((f"{day.day:02}", f"{day.month:02}"), (f"{day.month:02}", f"{day.day:02}"))
    return tuple(
        f"{way[0]}{mark}{way[1]}{mark}{day.year}"
        for order in orders
        for way in dict.fromkeys((order, (order[0].lstrip("0"), order[1].lstrip("0"))))
        for mark in "/."
    )


def _chinese(number: int) -> str:
    tens, ones = divmod(number, 10)
    return f"{'' if tens < 2 else _DIGITS[tens]}{'十' if tens else ''}{_DIGITS[ones] if ones else ''}"


def _suffix(day: int) -> str:
    return "th" if 11 <= day % 100 <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
