"""Attested, owed and overdue deletions in the database. Takes a connection, never commits."""

from datetime import datetime
from functools import cache
from typing import Any, Final, Literal

from sqlalchemy import ColumnElement, Insert, Select, Text, case, func, literal_column, select
from sqlalchemy.dialects.postgresql import insert

from aml.gateway.storage.database import Connection
from aml.gateway.storage.statements import execute, fetch_all, fetch_one, fetch_value, given
from aml.gateway.storage.tables import api_key, deletion_attestation, job, job_progress, system_version

from .views import Attestation

AttestationState = Literal["open", "overdue", "attested"]

DAYS: Final = 30
"""Participants' time to delete what they were sent, from the job's end on."""

_DUE: ColumnElement[datetime] = job.c.ended_at + literal_column(f"interval '{DAYS} days'")
_ATTESTED = deletion_attestation.c.attested_at
_STATE = case(
    (_ATTESTED.is_not(None), literal_column("'attested'")),
    (func.now() > _DUE, literal_column("'overdue'")),
    else_=literal_column("'open'"),
)


@cache
def _owed() -> Select[Any]:
    """Jobs of participants' keys that have ended and for which something was sent."""
    return (
        select(
            job.c.job_id,
            job.c.key_id,
            api_key.c.label.label("organisation"),
            *system_version.c["system", "version"],
            job.c.run_label,
            job.c.ended_at,
            _DUE.label("due_at"),
            _STATE.label("state"),
            _ATTESTED.label("attested_at"),
            func.coalesce(_ATTESTED > _DUE, False).label("late"),
            deletion_attestation.c.statement,
        )
        .select_from(
            job.join(system_version, system_version.c.version_id == job.c.version_id)
            .join(api_key, api_key.c.key_id == job.c.key_id)
            .join(job_progress, job_progress.c.job_id == job.c.job_id)
            .outerjoin(deletion_attestation, deletion_attestation.c.job_id == job.c.job_id)
        )
        .where(
            ~system_version.c.own_run,
            job.c.arm == "participant",
            job.c.ended_at.is_not(None),
            job_progress.c.first_add_at.is_not(None),
        )
    )


@cache
def select_attestation() -> Select[Any]:
    return _owed().where(job.c.job_id == given("job_id"))


async def load_attestation(connection: Connection, job_id: str) -> Attestation | None:
    """None where none is owed."""
    return await fetch_one(connection, select_attestation(), Attestation, job_id=job_id)


@cache
def select_attestation_page() -> Select[Any]:
    key_id, state = given("key_id", Text()), given("state", Text())
    return (
        _owed()
        .where(key_id.is_(None) | (job.c.key_id == key_id), state.is_(None) | (state == _STATE))
        .order_by(job.c.ended_at, job.c.job_id)
        .limit(given("limit"))
        .offset(given("offset"))
    )


async def load_attestation_page(
    connection: Connection, key_id: str | None, state: AttestationState | None, limit: int, offset: int
) -> list[Attestation]:
    """Those that are due first come first."""
    return await fetch_all(
        connection, select_attestation_page(), Attestation, key_id=key_id, state=state, limit=limit, offset=offset
    )


@cache
def select_overdue_count() -> Select[Any]:
    overdue = _owed().where(_ATTESTED.is_(None), func.now() > _DUE).subquery()
    return select(func.count()).select_from(overdue)


async def count_overdue(connection: Connection) -> int:
    return int(await fetch_value(connection, select_overdue_count()))


@cache
def insert_attestation() -> Insert:
    columns = ("job_id", "statement", "attested_by")
    return insert(deletion_attestation).values({name: given(name) for name in columns}).on_conflict_do_nothing()


async def add_attestation(connection: Connection, job_id: str, statement: str, attested_by: str) -> bool:
    """False when the job has one."""
    cursor = await execute(
        connection, insert_attestation(), job_id=job_id, statement=statement, attested_by=attested_by
    )
    return cursor.rowcount == 1
