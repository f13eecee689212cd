"""Options of a run as a caller may mistake them: refused by name before anything starts, never ignored."""

from collections.abc import Collection
from math import isfinite
from typing import get_args

from aml.contracts.vocabulary import Language
from aml.toolkit.agents.demands import Dates, History, Mode
from aml.toolkit.evaluation.errors import WrongUsage


def require_from_one(option: str, number: int | None) -> None:
    """Raises `WrongUsage`, as all of these do."""
    if number is not None and (not _whole(number) or number < 1):
        raise WrongUsage(option, f"is {number!r}; give a whole number from 1 on")


def require_whole(option: str, number: int) -> None:
    if not _whole(number):
        raise WrongUsage(option, f"is {number!r}; give a whole number")


def require_amount(option: str, amount: float | None, *, zero: bool, unit: str) -> None:
    if amount is None:
        return
    counts = isinstance(amount, int | float) and not isinstance(amount, bool) and isfinite(amount)
    if not counts or amount < 0 or (amount == 0 and not zero):
        raise WrongUsage(option, f"is {amount!r}; give {unit}{'' if zero else ' above 0'}")


def require_way(language: Language, mode: Mode, history: History, dates: Dates) -> None:
    """How the agent is met; a word that nobody knows would be taken for one that somebody does."""
    require_one_of("language", language, get_args(Language))
    require_one_of("mode", mode, get_args(Mode))
    require_one_of("history", history, get_args(History))
    require_one_of("dates", dates, get_args(Dates))


def require_one_of(option: str, value: str, known: Collection[str]) -> None:
    if value not in known:
        raise WrongUsage(option, f"is {value!r}; give one of {', '.join(known)}")


def _whole(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool)
