"""A scenario put on stage: its sessions with small talk and near misses in their places, in order of time.

The hooks of a scenario are filled one exchange at a time; each block of `noise` takes the place before one of these exchanges,
chosen by the seed. For `reach_back` the depth is counted in exchanges behind the scenario's last one; there each block of noise
stands in for as many of them as it has user turns.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Final

from msgspec import Struct

from aml.contracts.envelope import Millis
from aml.ingest.benchmarks.dates import to_millis
from aml.ingest.benchmarks.practice.seeded import Seeded

from .scenario import Hook, Line, Scenario
from .small_talk import SmallTalk
from .talk import read_talk

TURN_MILLIS: Final = 45_000
BETWEEN_MILLIS: Final = 3_600_000
"""At least an hour between two sessions of one day."""
EXCHANGES_A_SESSION: Final = 12


class StagedSession(Struct, frozen=True):
    at: Millis
    lines: tuple[Line, ...]

    @property
    def end(self) -> Millis:
        return self.at + len(self.lines) * TURN_MILLIS


class Staged(Struct, frozen=True):
    sessions: tuple[StagedSession, ...]
    asked_at: Millis


def stage(scenario: Scenario, small_talk: SmallTalk, seeded: Seeded, *, depth: int | None = None) -> Staged:
    parts = [(session.on, read_talk(session.talk)) for session in scenario.sessions]
    noise = [tuple(part for part in read_talk(block) if isinstance(part, Line)) for block in scenario.noise]
    dealt: dict[int, list[tuple[Line, ...]]] = {}
    if depth is None:
        places = sum(part.exchanges for _, session in parts for part in session if isinstance(part, Hook))
        dealt = _deal(noise, places, seeded.at("noise"))
    sessions: list[StagedSession] = []
    place = 0
    for on, session in parts:
        lines: list[Line] = []
        for part in session:
            if isinstance(part, Line):
                lines.append(part)
                continue
            for _ in range(part.exchanges):
                lines += [line for block in dealt.get(place, ()) for line in block]
                lines += small_talk.exchange()
                place += 1
        start = _day_start(on, seeded.at("start", str(len(sessions))))
        if sessions:
            start = max(start, sessions[-1].end + BETWEEN_MILLIS)
        sessions.append(StagedSession(start, tuple(lines)))
    asked_at = max(to_millis(_at(scenario.asked, 18)), sessions[-1].end + BETWEEN_MILLIS)
    if depth is not None:
        tail = _tail(noise, depth, small_talk, seeded.at("tail"))
        sessions += spread(tail, sessions[-1].end, asked_at)
        asked_at = max(asked_at, sessions[-1].end + BETWEEN_MILLIS)
    return Staged(tuple(sessions), asked_at)


def room_between(after: Millis, before: Millis) -> int:
    """Exchanges that `spread` lays between two moments without going beyond the second."""
    longest = 2 * EXCHANGES_A_SESSION * TURN_MILLIS + TURN_MILLIS
    return EXCHANGES_A_SESSION * max(0, (before - after) // longest - 1)


def spread(exchanges: Sequence[Sequence[Line]], after: Millis, before: Millis) -> Iterator[StagedSession]:
    """As sessions of a dozen exchanges, evenly over the time between two moments.

    Where the time is too short for that they follow one upon the other, beyond `before` if need be.
    """
    groups = [exchanges[at : at + EXCHANGES_A_SESSION] for at in range(0, len(exchanges), EXCHANGES_A_SESSION)]
    step = (before - after) // (len(groups) + 1)
    free = after
    for number, group in enumerate(groups, start=1):
        lines = tuple(line for exchange in group for line in exchange)
        session = StagedSession(max(free, after + number * step), lines)
        free = session.end + TURN_MILLIS
        yield session


def _deal(noise: Sequence[tuple[Line, ...]], places: int, seeded: Seeded) -> dict[int, list[tuple[Line, ...]]]:
    """Each block before one of the hooks' exchanges; two share a place only where there are more blocks than places."""
    order = seeded.shuffled(range(places))
    dealt: dict[int, list[tuple[Line, ...]]] = {}
    for number, block in enumerate(noise):
        dealt.setdefault(order[number % places], []).append(block)
    return dealt


def _tail(
    noise: Sequence[tuple[Line, ...]], depth: int, small_talk: SmallTalk, seeded: Seeded
) -> list[tuple[Line, ...]]:
    """Exchanges with exactly `depth` user turns. Noise that has no room is left out."""
    blocks: list[tuple[Line, ...]] = []
    room = depth
    for block in noise:
        turns = sum(line.role == "user" for line in block)
        if turns <= room:
            blocks.append(block)
            room -= turns
    return seeded.shuffled([*blocks, *(small_talk.exchange() for _ in range(room))])


def _day_start(on: date, seeded: Seeded) -> Millis:
    """Between 8:00 and 10:59 UTC, so that a session's date is the same day in most of the world."""
    return to_millis(_at(on, 8) + timedelta(minutes=seeded.below(180)))


def _at(on: date, hour: int) -> datetime:
    return datetime(on.year, on.month, on.day, hour, tzinfo=UTC)
