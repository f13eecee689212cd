"""Dates that the speakers themselves wrote. `timestamps_only` takes out ours; these stay, so how many there are is reported."""

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from aml.contracts.benchmark import Sample, Session

_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_DATE: Final = re.compile(
    r"\b(?:"
    r"(?:19|20)\d{2}[-/.](?:0?[1-9]|1[0-2])[-/.](?:0?[1-9]|[12]\d|3[01])"  # 2023-05-30
    r"|(?:0?[1-9]|[12]\d|3[01])[-/.](?:0?[1-9]|[12]\d|3[01])[-/.](?:19|20)\d{2}"  # 5/30/2023, 30.05.2023
    rf"|{_MONTH}\.?\s+(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?(?:,?\s+(?:19|20)\d{{2}})?"  # May 30th, 2023
    rf"|(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?:\s+(?:19|20)\d{{2}})?"  # 30 May 2023
    rf"|{_MONTH},?\s+(?:19|20)\d{{2}}"  # May 2023
    r")\b",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(r"\d+")
_AROUND: Final = 26
"""Characters around a date's first number that the rest of it stands in."""


class GroundingReport(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    mode: str
    sessions: int
    sessions_with_dates: int
    """Whose own text holds something like a calendar date: what `timestamps_only` cannot take away."""
    earliest: int | None
    """Unix milliseconds of the first and the last turn that was given a time; None without any."""
    latest: int | None

    @property
    def leak(self) -> float | None:
        return self.sessions_with_dates / self.sessions if self.sessions else None


class DateWatch:
    """Counts the sessions that pass."""

    def __init__(self) -> None:
        self._sessions = 0
        self._dated = 0
        self._earliest: int | None = None
        self._latest: int | None = None

    def see(self, sample: Sample) -> None:
        for session in sample.sessions:
            self._sessions += 1
            self._dated += has_date(session)
            for at in (turn.timestamp for turn in session.turns):
                if at is not None:
                    self._earliest = at if self._earliest is None else min(at, self._earliest)
                    self._latest = at if self._latest is None else max(at, self._latest)

    def report(self, mode: str) -> GroundingReport:
        return GroundingReport(
            mode=mode,
            sessions=self._sessions,
            sessions_with_dates=self._dated,
            earliest=self._earliest,
            latest=self._latest,
        )


def has_date(session: Session) -> bool:
    return any(mentions_date(text) for text in (turn.content for turn in session.turns))


def mentions_date(text: str) -> bool:
    """A calendar date, with or without a year, or a month with its year. "may" alone is a verb, and a year alone a number."""
    return next(dates_of(text), None) is not None


def dates_of(text: str) -> Iterator[str]:
    """Looked for around digits alone: ten times as fast on conversations, of which there are 280 MB."""
    done = 0
    for number in _NUMBER.finditer(text):
        if number.start() < done:
            continue
        found = _DATE.search(text, max(done, number.start() - _AROUND), number.end() + _AROUND)
        if found is not None:
            done = found.end()
            yield found.group()
