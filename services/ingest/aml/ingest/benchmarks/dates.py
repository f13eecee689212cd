"""The datasets' own ways of writing a time, read as UTC milliseconds and without asking any locale."""

import re
from datetime import UTC, datetime
from typing import Final

MONTHS: Final = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)

_LOCOMO = re.compile(r"^(\d{1,2}):(\d{2}) ([ap]m) on (\d{1,2}) ([A-Za-z]+), (\d{4})$")
_LONGMEMEVAL = re.compile(r"^(\d{4})/(\d{2})/(\d{2}) \([A-Za-z]{3}\) (\d{2}):(\d{2})$")


def to_millis(moment: datetime) -> int:
    """Unix milliseconds of an aware datetime, exact (no float). Raises `ValueError` before 1970."""
    delta = moment - datetime(1970, 1, 1, tzinfo=UTC)
    if delta.days < 0:
        raise ValueError(f"{moment.isoformat()} lies before 1970")
    return (delta.days * 86_400 + delta.seconds) * 1000


def parse_locomo_time(text: str) -> int:
    """`1:56 pm on 8 May, 2023`. Raises `ValueError` for anything else."""
    match = _LOCOMO.match(text)
    if match is None:
        raise ValueError(f"{text!r} is not a time like '1:56 pm on 8 May, 2023'")
    hour, minute, half, day, month, year = match.groups()
    if not 1 <= int(hour) <= 12:
        raise ValueError(f"{text!r} has no hour between 1 and 12")
    if month.capitalize() not in MONTHS:
        raise ValueError(f"{text!r} names no month")
    hour24 = int(hour) % 12 + (12 if half == "pm" else 0)
    number = MONTHS.index(month.capitalize()) + 1
    return _utc_millis(text, int(year), number, int(day), hour24, int(minute))


def parse_longmemeval_time(text: str) -> int:
    """`2023/05/30 (Tue) 23:40`; the day's name is not checked. Raises `ValueError` for anything else."""
    match = _LONGMEMEVAL.match(text)
    if match is None:
        raise ValueError(f"{text!r} is not a time like '2023/05/30 (Tue) 23:40'")
    year, month, day, hour, minute = (int(part) for part in match.groups())
    return _utc_millis(text, year, month, day, hour, minute)


def _utc_millis(text: str, year: int, month: int, day: int, hour: int, minute: int) -> int:
    try:
        return to_millis(datetime(year, month, day, hour, minute, tzinfo=UTC))
    except ValueError as error:
        raise ValueError(f"{text!r} is no time of the calendar: {error}") from None
