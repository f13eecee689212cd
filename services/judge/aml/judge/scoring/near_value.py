"""Whether an answer gives a date or a number that is at most a day, or one, from the wanted one."""

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from aml.judge.language.dates import PartialDate, dates_in
from aml.judge.language.numbers import quantities_in

_NEAR = 1
_DAYS = re.compile(r"\bdays?\b|天")
_UNIT = re.compile(
    r"[\s-]*(?:(?P<week>weeks?\b|个?(?:星期|礼拜)|周)|hours?\b|minutes?\b|months?\b|years?\b|个?(?:小时|钟头|月)|分钟|年)",
    re.IGNORECASE,
)


def is_near(ways: Sequence[str], answer: str) -> bool | None:
    """The wanted value is the first one that a way gives: a whole date, else a number. None where either side gives none."""
    wanted_dates = [found for way in ways for found in dates_in(way)]
    if day := next((found for partial in wanted_dates if (found := _day(partial, None)) is not None), None):
        given = [found for partial in dates_in(answer) if (found := _day(partial, day.year)) is not None]
        return any(abs((found - day).days) <= _NEAR for found in given) if given else None
    if wanted_dates:
        return None
    wanted = next((Decimal(quantity.value) for way in ways for quantity in quantities_in(way)), None)
    if wanted is None:
        return None
    numbers = _counts(_without(answer, dates_in(answer)), days=any(_DAYS.search(way) for way in ways))
    return any(abs(number - wanted) <= _NEAR for number in numbers) if numbers else None


def _counts(text: str, *, days: bool) -> list[Decimal]:
    """Where days are wanted, weeks are seven of them, and what counts something else is no number of days."""
    found = []
    for quantity in quantities_in(text):
        unit = _UNIT.match(text, quantity.end) if days else None
        if unit is None or unit["week"]:
            found.append(Decimal(quantity.value) * (7 if unit else 1))
    return found


def _day(partial: PartialDate, year: int | None) -> date | None:
    """A question often settles the year, so an answer may leave it out."""
    chosen = partial.year or year
    if chosen is None or partial.month is None or partial.day is None:
        return None
    try:
        return date(chosen, partial.month, partial.day)
    except ValueError:
        return None


def _without(text: str, spans: Sequence[PartialDate]) -> str:
    for span in sorted(spans, key=lambda span: span.start, reverse=True):
        text = f"{text[: span.start]} {text[span.end :]}"
    return text
