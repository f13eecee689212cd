"""Turns "yesterday", "last week", "three months ago" into dates, given the day on which they were said."""

import re
from collections.abc import Callable
from datetime import date, timedelta

from aml.judge.language.dates import MONTH_NAMES
from aml.judge.language.numbers import quantities_in

_WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_DAYS_AWAY = {
    "the day before yesterday": -2, "day before yesterday": -2, "yesterday": -1, "last night": -1, "today": 0, "tonight": 0,
    "this morning": 0, "this afternoon": 0, "this evening": 0, "the day after tomorrow": 2, "tomorrow": 1,
    "前天": -2, "昨天": -1, "昨晚": -1, "今天": 0, "今晚": 0, "今早": 0, "明天": 1, "后天": 2,
}  # fmt: skip
_PERIODS_AWAY = {
    "last week": ("week", -1), "last weekend": ("weekend", -1), "last month": ("month", -1), "last year": ("year", -1),
    "this week": ("week", 0), "this month": ("month", 0), "this year": ("year", 0),
    "next week": ("week", 1), "next month": ("month", 1), "next year": ("year", 1),
    "上周": ("week", -1), "上星期": ("week", -1), "上个月": ("month", -1), "去年": ("year", -1), "前年": ("year", -2),
    "这周": ("week", 0), "本周": ("week", 0), "这个月": ("month", 0), "今年": ("year", 0),
    "下周": ("week", 1), "下个月": ("month", 1), "明年": ("year", 1),
}  # fmt: skip
_UNITS = {"天": "day", "周": "week", "星期": "week", "个星期": "week", "个月": "month", "年": "year"}
_AMOUNT = r"(?:a few|a couple of|an?|\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"

_RELATIVE = re.compile(
    rf"\b(?P<ago>{_AMOUNT}\s+(?P<ago_unit>day|week|month|year)s?\s+(?:ago|since))\b"
    r"|(?P<zh_ago>[零一二两三四五六七八九十\d]+(?P<zh_unit>天|周|星期|个星期|个月|年)(?:以?前|了))"
    rf"|\b(?P<ahead>(?:in\s+(?:exactly\s+)?{_AMOUNT}\s+(?P<in_unit>day|week|month|year)s?(?:['’]\s*time)?"
    rf"|{_AMOUNT}\s+(?P<from_unit>day|week|month|year)s?\s+from\s+(?:now|today)))\b"
    r"|(?P<zh_ahead>[零一二两三四五六七八九十\d]+(?P<zh_ahead_unit>天|周|星期|个星期|个月|年)(?:以?后|之后))"
    rf"|\b(?P<weekday>(?:on\s+)?(?P<which>last|this\s+past|past|this|next)\s+(?P<day>{'|'.join(_WEEKDAYS)}))\b"
    rf"|(?P<period>\b(?:last|this|next)\s+(?:weekend|week|month|year)\b|{'|'.join(k for k in _PERIODS_AWAY if not k.isascii())})"
    rf"|(?P<near>\b(?:{'|'.join(k for k in _DAYS_AWAY if k.isascii())})\b|{'|'.join(k for k in _DAYS_AWAY if not k.isascii())})",
    re.IGNORECASE,
)


def resolve_relative(text: str, said_on: date) -> str | None:
    """The first relative expression of the text as a date in words, as fine as it was said; None where there is none.

    A week stays "the week before …", because it names no day.
    """
    match = _RELATIVE.search(text)
    if match is None:
        return None
    for kind, resolve in _RESOLVERS.items():
        if match[kind] is not None:
            return resolve(match, said_on)
    return None


def in_words(day: date) -> str:
    return f"{day.day} {MONTH_NAMES[day.month - 1]} {day.year}"


def _near(match: re.Match[str], said_on: date) -> str | None:
    return in_words(said_on + timedelta(days=_DAYS_AWAY[match["near"].lower()]))


def _period(match: re.Match[str], said_on: date) -> str | None:
    name = re.sub(r"\s+", " ", match["period"].lower())
    unit, steps = _PERIODS_AWAY.get(name, ("weekend", 1 if name.startswith("next") else 0))
    return _shifted(unit, steps, said_on)


def _weekday(match: re.Match[str], said_on: date) -> str | None:
    wanted = _WEEKDAYS.index(match["day"].lower())
    ahead = (wanted - said_on.weekday()) % 7
    if match["which"].lower().endswith(("last", "past")):
        return in_words(said_on + timedelta(days=ahead - 7))
    return in_words(said_on + timedelta(days=ahead or 7))


def _ago(match: re.Match[str], said_on: date) -> str | None:
    text = match["ago"].lower()
    if text.startswith("a few"):
        return f"a few {match['ago_unit'].lower()}s before {in_words(said_on)}"
    numbers = quantities_in(text)
    amount = 2 if text.startswith("a couple") else int(numbers[0].value) if numbers else 1
    return _shifted(match["ago_unit"].lower(), -amount, said_on)


def _ahead(match: re.Match[str], said_on: date) -> str | None:
    unit = (match["in_unit"] or match["from_unit"]).lower()
    text = match["ahead"].lower()
    if "a few" in text:
        return f"a few {unit}s after {in_words(said_on)}"
    numbers = quantities_in(text)
    amount = 2 if "a couple" in text else int(numbers[0].value) if numbers else 1
    return in_words(said_on + timedelta(weeks=amount)) if unit == "week" else _shifted(unit, amount, said_on)


def _zh_ago(match: re.Match[str], said_on: date) -> str | None:
    numbers = quantities_in(match["zh_ago"])
    return _shifted(_UNITS[match["zh_unit"]], -int(numbers[0].value), said_on) if numbers else None


def _zh_ahead(match: re.Match[str], said_on: date) -> str | None:
    numbers = quantities_in(match["zh_ahead"])
    if not numbers:
        return None
    unit, amount = _UNITS[match["zh_ahead_unit"]], int(numbers[0].value)
    return in_words(said_on + timedelta(weeks=amount)) if unit == "week" else _shifted(unit, amount, said_on)


def _shifted(unit: str, steps: int, said_on: date) -> str | None:
    match unit:
        case "day":
            return in_words(said_on + timedelta(days=steps))
        case "week" | "weekend":
            return _week(unit, steps, said_on)
        case "month":
            months = said_on.year * 12 + said_on.month - 1 + steps
            return f"{MONTH_NAMES[months % 12]} {months // 12}"
        case _:
            return str(said_on.year + steps)


def _week(unit: str, steps: int, said_on: date) -> str:
    if abs(steps) > 1:
        return in_words(said_on + timedelta(weeks=steps))
    return f"the {unit} {('before', 'of', 'after')[steps + 1]} {in_words(said_on)}"


_RESOLVERS: dict[str, Callable[[re.Match[str], date], str | None]] = {
    "ago": _ago, "zh_ago": _zh_ago, "ahead": _ahead, "zh_ahead": _zh_ahead, "weekday": _weekday, "period": _period, "near": _near,
}  # fmt: skip
