"""The cycles, as their files say, and the dates that a full run under a cycle's release has to keep to."""

from datetime import datetime
from functools import cache
from typing import Any, Literal

from litestar import get
from litestar.params import FromPath
from msgspec import Struct
from sqlalchemy import ColumnElement, Select, func, select

from aml.contracts.cycle import Cycle
from aml.gateway.edge.injected import GivenParts
from aml.gateway.errors import StateConflict, Unknown
from aml.gateway.storage.database import Connection
from aml.gateway.storage.statements import fetch_one, given
from aml.gateway.storage.tables import access_request

CycleState = Literal["announced", "open", "materials_closed", "evaluation_closed"]


class CycleView(Struct, frozen=True, kw_only=True):
    state: CycleState
    """At the moment of the answer."""
    cycle: Cycle


class CycleList(Struct, frozen=True, kw_only=True):
    cycles: tuple[CycleView, ...]
    """The one that opens last first."""


@get("/cycles", summary="The cycles: dates, tracks, prizes, contacts")
async def list_cycles(parts: GivenParts) -> CycleList:
    now = parts.clock.now_ms() / 1000
    return CycleList(cycles=tuple(CycleView(state=state_of(cycle, now), cycle=cycle) for cycle in parts.cycles))


@get("/cycles/{cycle_id:str}", summary="One cycle")
async def read_cycle(parts: GivenParts, cycle_id: FromPath[str]) -> CycleView:
    for cycle in parts.cycles:
        if cycle.cycle_id == cycle_id:
            return CycleView(state=state_of(cycle, parts.clock.now_ms() / 1000), cycle=cycle)
    raise Unknown("cycle", cycle_id)


def state_of(cycle: Cycle, now: float) -> CycleState:
    """`now` in Unix seconds."""
    if now < cycle.opens_at.timestamp():
        return "announced"
    if now > cycle.evaluation_closes_at.timestamp():
        return "evaluation_closed"
    return "materials_closed" if now > cycle.materials_close_at.timestamp() else "open"


def cycle_of_release(cycles: tuple[Cycle, ...], release_id: str) -> Cycle | None:
    """None for a release that no cycle runs under: it is never closed."""
    for cycle in cycles:
        if any(track.release_id == release_id for track in cycle.tracks):
            return cycle
    return None


class FullRunTimes(Struct, frozen=True, kw_only=True):
    """By the database's clock."""

    now: datetime
    applied_at: datetime | None
    """When the version was applied for."""


@cache
def select_full_run_times() -> Select[Any]:
    columns: tuple[ColumnElement[Any], ...] = (
        func.now().label("now"),
        func.min(access_request.c.created_at).label("applied_at"),
    )
    return select(*columns).where(access_request.c.version_id == given("version_id"))


async def require_cycle_open(
    connection: Connection, cycles: tuple[Cycle, ...], release_id: str, version_id: str
) -> None:
    """For a full run. Raises `StateConflict` with the cycle's dates."""
    if (cycle := cycle_of_release(cycles, release_id)) is None:
        return
    times = await fetch_one(connection, select_full_run_times(), FullRunTimes, version_id=version_id)
    assert times is not None
    check_full_run(cycle, times)


def check_full_run(cycle: Cycle, times: FullRunTimes) -> None:
    """Raises `StateConflict`."""
    if times.now < cycle.opens_at:
        raise _closed("cycle_not_open", cycle, f"opens at {_shown(cycle.opens_at)}")
    if times.now > cycle.evaluation_closes_at:
        raise _closed("cycle_closed", cycle, f"took full runs until {_shown(cycle.evaluation_closes_at)}")
    if times.applied_at is not None and times.applied_at > cycle.materials_close_at:
        problem = f"took applications until {_shown(cycle.materials_close_at)}; this version's came at {_shown(times.applied_at)}"
        raise _closed("materials_late", cycle, problem)


def _closed(reason: str, cycle: Cycle, problem: str) -> StateConflict:
    return StateConflict(
        reason,
        f"the cycle {cycle.name.en} {problem}",
        cycle_id=cycle.cycle_id,
        opens_at=cycle.opens_at.isoformat(),
        materials_close_at=cycle.materials_close_at.isoformat(),
        evaluation_closes_at=cycle.evaluation_closes_at.isoformat(),
    )


def _shown(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M %Z}"
