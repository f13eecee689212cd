"""How many calls a participant gets at once: additive rise, multiplicative fall, never above what was declared. Pure.

The rule of TCP's congestion avoidance (Chiu and Jain 1989; RFC 5681 §3.1): a success adds 1/limit, so a full round of calls
adds one; a push-back halves. Calls of one burst are pushed back together and must halve once, not each: a call carries the
epoch in which it began, and only a push-back to a call of the present epoch counts.
"""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

FALL: Final = 0.5
TROUBLED_RUN: Final = 5
"""Retryable 5xx one after the other, with no success between, from which on a server is overloaded rather than unlucky."""


class Pace(Struct, frozen=True, kw_only=True):
    """`allowed` calls at once."""

    ceiling: int
    """What the participant declared; from 1."""
    limit: float
    """Between 1 and the ceiling."""
    epoch: int = 0
    """Falls so far."""
    troubled: int = 0
    """Retryable 5xx since the last success or fall."""

    @property
    def allowed(self) -> int:
        return int(self.limit)


def full_pace(ceiling: int) -> Pace:
    return Pace(ceiling=max(1, ceiling), limit=float(max(1, ceiling)))


def after_success(pace: Pace) -> Pace:
    """The same object where nothing changes, which is nearly always."""
    if pace.limit >= pace.ceiling and not pace.troubled:
        return pace
    return replace(pace, limit=min(float(pace.ceiling), pace.limit + 1 / pace.limit), troubled=0)


def after_failure(pace: Pace, *, status: int | None, retryable: bool, began_in: int) -> Pace:
    """A 429 falls at once, the fifth retryable 5xx of a run falls; a lost connection or a wrong answer says nothing of load."""
    if not retryable or began_in != pace.epoch:
        return pace
    if status == 429:
        return _fallen(pace)
    if status is None or status < 500:
        return pace
    if pace.troubled + 1 >= TROUBLED_RUN:
        return _fallen(pace)
    return replace(pace, troubled=pace.troubled + 1)


def _fallen(pace: Pace) -> Pace:
    return replace(pace, limit=max(1.0, pace.limit * FALL), epoch=pace.epoch + 1, troubled=0)
