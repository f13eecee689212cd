"""Parked units and their requeues in the database. Takes a connection, never commits."""

from functools import cache
from typing import Any

from sqlalchemy import Select, Text, func, select, update
from sqlalchemy.sql.dml import ReturningUpdate

from aml.gateway.read_model.fold import Kind
from aml.gateway.storage.database import Connection
from aml.gateway.storage.statements import fetch_all, fetch_column, fetch_value, given
from aml.gateway.storage.tables import fact, parked

from .views import ParkedUnit

MAX_SHOWN = 1000


@cache
def select_parked() -> Select[Any]:
    job_id = given("job_id", Text())
    return (
        select(*parked.c[ParkedUnit.__struct_fields__])
        .where(parked.c.requeued_at.is_(None), job_id.is_(None) | (parked.c.job_id == job_id))
        .order_by(parked.c.parked_at, parked.c.job_id, parked.c.unit)
        .limit(MAX_SHOWN)
    )


async def load_parked(connection: Connection, job_id: str | None) -> list[ParkedUnit]:
    return await fetch_all(connection, select_parked(), ParkedUnit, job_id=job_id)


@cache
def update_requeued() -> ReturningUpdate[Any]:
    return (
        update(parked)
        .values(requeued_at=func.now())
        .where(parked.c.job_id == given("job_id"), parked.c.requeued_at.is_(None))
        .returning(*parked.c[ParkedUnit.__struct_fields__])
    )


async def take_parked(connection: Connection, job_id: str) -> list[ParkedUnit]:
    """Marks what is parked as requeued and returns it."""
    return await fetch_all(connection, update_requeued(), ParkedUnit, job_id=job_id)


@cache
def select_requeued_count() -> Select[Any]:
    return (
        select(func.count())
        .select_from(parked)
        .where(parked.c.job_id == given("job_id"), parked.c.requeued_at.is_not(None))
    )


async def count_requeued(connection: Connection, job_id: str) -> int:
    """How many parked units of the job were driven again so far: the next ones are numbered from here."""
    return int(await fetch_value(connection, select_requeued_count(), job_id=job_id))


@cache
def select_requeued_units() -> Select[Any]:
    return select(fact.c.unit).where(fact.c.job_id == given("job_id"), fact.c.kind == int(Kind.REQUEUED))


async def load_requeued_units(connection: Connection, job_id: str) -> list[str]:
    """The names of all requeues of the job, whoever asked for them."""
    return await fetch_column(connection, select_requeued_units(), job_id=job_id)
