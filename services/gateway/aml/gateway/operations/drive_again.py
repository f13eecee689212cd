"""Parked units of a job, driven again: by an operator, or by the owner who resumes a job that runs."""

from collections.abc import Iterable
from typing import Any

import msgspec

from aml.contracts.units import UnitRequeued
from aml.gateway.storage.database import Connection
from aml.gateway.storage.outbox import enqueue

from .parked_queries import count_requeued, load_requeued_units, take_parked
from .views import ParkedUnit


async def drive_again(connection: Connection, job_id: str, now_ms: int) -> tuple[str, ...]:
    """Returns the names of the parked units that are tried again; empty where none was parked."""
    already = await count_requeued(connection, job_id)
    parked = await take_parked(connection, job_id)
    used = own_requeues(await load_requeued_units(connection, job_id)) if parked else {}
    events = [requeue_of(unit, already + place, used, now_ms) for place, unit in enumerate(parked, start=1)]
    await enqueue(connection, *events)
    return tuple(unit.unit for unit in parked)


def own_requeues(units: Iterable[str]) -> dict[str, int]:
    """`<unit>-<stage>` to the number of the stage's own last requeue of it. Others' requeues have a word before the number."""
    used: dict[str, int] = {}
    for name in units:
        unit, _, number = name.rpartition("-")
        if number.isdigit() and unit.count("-") == 1:
            used[unit] = max(used.get(unit, 0), int(number))
    return used


def requeue_of(parked: ParkedUnit, number: int, used: dict[str, int], now_ms: int) -> UnitRequeued:
    """Named apart from the stage's own requeues, and with their count, so that the next of those is a new fact."""
    unit = parked.unit.partition("-")[0]  # a unit's own name is hex: what follows are stages and counts
    values: dict[str, Any] = {
        "type": "unit_requeued.v1",
        "at": now_ms,
        "job_id": parked.job_id,
        "unit": f"{unit}-{parked.stage}-operator-{number}",
        "stage": parked.stage,
        "requeue": used.get(f"{unit}-{parked.stage}", 0),
        "trigger": parked.trigger,
        "reason": "internal",
        "detail": "driven again after it was parked",
        "not_before": 0,
        "attempt_log": None,
    }
    return msgspec.convert(values, UnitRequeued)
