"""A cycle's dates and prizes as the pages show them: in the zone that they were announced in, and in UTC."""

from collections.abc import Sequence
from datetime import UTC, datetime

from msgspec import Struct

from aml.contracts.cycle import Cycle, Prize, Words
from aml.contracts.vocabulary import Language, Track


class PrizeLine(Struct, frozen=True, kw_only=True):
    track: Track
    prizes: tuple[Prize, ...]
    total: int
    currency: str


def said(words: Words, language: Language) -> str:
    return words.zh if language == "zh" else words.en


def announced(at: datetime, timezone: str) -> str:
    return f"{at:%Y-%m-%d %H:%M} {timezone}"


def utc(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def iso(at: datetime) -> str:
    return at.isoformat()


def prize_lines(cycle: Cycle) -> tuple[PrizeLine, ...]:
    """One a track, in the cycle's order of tracks."""
    lines = []
    for track in (each.track for each in cycle.tracks):
        found = tuple(prize for prize in cycle.prizes if prize.track == track)
        if found:
            total = sum(prize.places * prize.amount for prize in found)
            lines.append(PrizeLine(track=track, prizes=found, total=total, currency=found[0].currency))
    return tuple(lines)


def pool(lines: Sequence[PrizeLine]) -> str | None:
    """All prizes together; None where there are none."""
    return money(sum(line.total for line in lines), lines[0].currency) if lines else None


def money(amount: int, currency: str) -> str:
    return f"{currency} {amount:,}"
