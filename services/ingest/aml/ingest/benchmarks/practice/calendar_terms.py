"""Dates as the practice suite writes and computes them."""

from datetime import date, timedelta

from aml.contracts.vocabulary import Language
from aml.ingest.benchmarks.dates import MONTHS

SATURDAY = 5


def shift(day: date, by: str) -> date:
    """`by` is a number of days (`-3`, `+14`), or `saturday` for the last Saturday before `day`."""
    if by == "saturday":
        return day - timedelta(days=(day.weekday() - SATURDAY - 1) % 7 + 1)
    return day + timedelta(days=int(by))


def date_forms(day: date, language: Language) -> tuple[str, ...]:
    """Ways to write `day` that are all right, the natural one first."""
    if language == "zh":
        return (f"{day.year}年{day.month}月{day.day}日", day.isoformat())
    month = MONTHS[day.month - 1]
    return (f"{day.day} {month} {day.year}", day.isoformat(), f"{month} {day.day}, {day.year}")


def days_forms(days: int, language: Language) -> tuple[str, ...]:
    return (f"{days}天" if language == "zh" else f"{days} days", str(days))


def money_forms(amount: int, language: Language) -> tuple[str, ...]:
    return (f"{amount}元" if language == "zh" else f"{amount} euros", str(amount))
