"""Versions of systems in the database. Takes a connection, never commits."""

from datetime import datetime
from functools import cache
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import Exists, Insert, ScalarSelect, Select, Update, and_, func, select, update
from sqlalchemy.dialects.postgresql import insert

from aml.gateway.storage.database import Connection
from aml.gateway.storage.statements import execute, fetch_all, fetch_one, fetch_value, given
from aml.gateway.storage.tables import api_key, job, job_progress, system_version

_ACTIVE = ("queued", "running")


class VersionRow(Struct, frozen=True, kw_only=True):
    version_id: str
    key_id: str
    system: str
    version: str
    track: str
    division: str
    arm: str
    own_run: bool
    target: bytes | None
    max_add_concurrency: int
    max_search_concurrency: int
    application: bytes | None = None
    """JSON, as its owner last changed it; None for own runs."""
    endpoints_revision: int = 0
    withdrawn_at: datetime | None = None


class VersionStanding(Struct, frozen=True, kw_only=True):
    """What its owner is shown, and by what an edit is allowed."""

    version_id: str
    key_id: str
    system: str
    version: str
    track: str
    division: str
    target: bytes
    application: bytes | None
    max_add_concurrency: int
    max_search_concurrency: int
    endpoints_revision: int
    created_at: datetime
    withdrawn_at: datetime | None
    smoke_passed: bool
    full_job_id: str | None
    """The first full run that was accepted."""
    active_job_id: str | None


@cache
def insert_version() -> Insert:
    return (
        insert(system_version)
        .values({name: given(name) for name in VersionRow.__struct_fields__})
        .on_conflict_do_nothing()
    )


async def add_version(connection: Connection, row: VersionRow) -> bool:
    """False when this version is there already."""
    return (await execute(connection, insert_version(), **asdict(row))).rowcount == 1


class HeldVersion(VersionRow, frozen=True, kw_only=True):
    key_live: bool


@cache
def select_held_version() -> Select[Any]:
    """In one statement: every job that is ordered runs it."""
    live = and_(api_key.c.revoked_at.is_(None), func.coalesce(api_key.c.expires_at > func.now(), True))
    return (
        select(*system_version.c[VersionRow.__struct_fields__], live.label("key_live"))
        .select_from(system_version.join(api_key, api_key.c.key_id == system_version.c.key_id))
        .where(
            system_version.c.version_id == given("version_id"),
            system_version.c.key_id == given("key_id"),
            ~system_version.c.own_run,
        )
        .with_for_update(read=True, of=api_key)
    )


async def hold_version(connection: Connection, version_id: str, key_id: str) -> HeldVersion | None:
    """With its key, which cannot be revoked until the transaction ends."""
    return await fetch_one(connection, select_held_version(), HeldVersion, version_id=version_id, key_id=key_id)


def passed_smoke_of(version_id: Any) -> Exists:
    """Whether a smoke run of the version, on the endpoints that it has now, completed with every question scored."""
    now = system_version.alias("version_now")
    current = select(now.c.endpoints_revision).where(now.c.version_id == job.c.version_id).scalar_subquery()
    return (
        select(job.c.job_id)
        .select_from(job.outerjoin(job_progress, job_progress.c.job_id == job.c.job_id))
        .where(
            job.c.version_id == version_id,
            job.c.mode == "smoke",
            job.c.state == "completed",
            job.c.endpoints_revision == current,
            func.coalesce(job_progress.c.unscored, 0) == 0,
        )
        .exists()
    )


def _first_job(*conditions: Any) -> ScalarSelect[Any]:
    return (
        select(job.c.job_id)
        .where(job.c.version_id == system_version.c.version_id, *conditions)
        .order_by(job.c.requested_at, job.c.job_id)
        .limit(1)
        .correlate(system_version)
        .scalar_subquery()
    )


@cache
def select_standings() -> Select[Any]:
    computed = {
        "smoke_passed": passed_smoke_of(system_version.c.version_id),
        "full_job_id": _first_job(job.c.mode == "full"),
        "active_job_id": _first_job(job.c.state.in_(_ACTIVE)),
    }
    own = tuple(name for name in VersionStanding.__struct_fields__ if name not in computed)
    return (
        select(*system_version.c[own], *(value.label(name) for name, value in computed.items()))
        .where(system_version.c.key_id == given("key_id"), ~system_version.c.own_run)
        .order_by(system_version.c.created_at, system_version.c.version_id)
    )


async def load_standings(connection: Connection, key_id: str) -> list[VersionStanding]:
    """Oldest first."""
    return await fetch_all(connection, select_standings(), VersionStanding, key_id=key_id)


@cache
def select_standing() -> Select[Any]:
    return select_standings().where(system_version.c.version_id == given("version_id"))


async def load_standing(connection: Connection, version_id: str, key_id: str) -> VersionStanding | None:
    return await fetch_one(connection, select_standing(), VersionStanding, version_id=version_id, key_id=key_id)


@cache
def update_change() -> Update:
    columns = ("target", "application", "max_add_concurrency", "max_search_concurrency", "endpoints_revision")
    return (
        update(system_version)
        .values({name: given(name) for name in columns})
        .values(changes=system_version.c.changes + 1)
        .where(system_version.c.version_id == given("version_id"))
        .returning(system_version.c.changes)
    )


async def change_version_row(
    connection: Connection,
    version_id: str,
    *,
    target: bytes,
    application: bytes,
    max_add_concurrency: int,
    max_search_concurrency: int,
    endpoints_revision: int,
) -> int:
    """The change's number, from 1."""
    number = await fetch_value(
        connection,
        update_change(),
        version_id=version_id,
        target=target,
        application=application,
        max_add_concurrency=max_add_concurrency,
        max_search_concurrency=max_search_concurrency,
        endpoints_revision=endpoints_revision,
    )
    return int(number)


@cache
def update_memory_key() -> Update:
    return (
        update(system_version)
        .values(target=given("target"), application=given("application"))
        .values(key_replacements=system_version.c.key_replacements + 1)
        .where(system_version.c.version_id == given("version_id"))
        .returning(system_version.c.key_replacements)
    )


async def replace_memory_key(connection: Connection, version_id: str, *, target: bytes, application: bytes) -> int:
    """The replacement's number, from 1."""
    number = await fetch_value(
        connection, update_memory_key(), version_id=version_id, target=target, application=application
    )
    return int(number)


@cache
def update_withdrawn() -> Update:
    return (
        update(system_version)
        .values(withdrawn_at=func.now(), withdrawn_reason=given("reason"))
        .where(system_version.c.version_id == given("version_id"))
    )


async def withdraw_version_row(connection: Connection, version_id: str, reason: str) -> None:
    await execute(connection, update_withdrawn(), version_id=version_id, reason=reason)
