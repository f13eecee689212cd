"""Versions of systems in the database. Takes a connection, never commits."""

from functools import cache
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import Exists, Insert, Select, func, select
from sqlalchemy.dialects.postgresql import insert

from aml.gateway.storage.database import Connection
from aml.gateway.storage.statements import execute, fetch_all, fetch_one, given
from aml.gateway.storage.tables import job, job_progress, system_version

from .views import Version


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


@cache
def select_version() -> Select[Any]:
    return select(*system_version.c[VersionRow.__struct_fields__]).where(
        system_version.c.version_id == given("version_id"),
        system_version.c.key_id == given("key_id"),
        ~system_version.c.own_run,
    )


async def load_version(connection: Connection, version_id: str, key_id: str) -> VersionRow | None:
    return await fetch_one(connection, select_version(), VersionRow, version_id=version_id, key_id=key_id)


def passed_smoke_of(version_id: Any) -> Exists:
    """Whether a smoke run of the version completed with every question scored."""
    return (
        select(job.c.job_id)
        .select_from(job.outerjoin(job_progress, job_progress.c.job_id == job.c.job_id))
        .where(
            job.c.version_id == version_id,
            job.c.mode == "smoke",
            job.c.state == "completed",
            func.coalesce(job_progress.c.unscored, 0) == 0,
        )
        .exists()
    )


@cache
def select_versions() -> Select[Any]:
    own = tuple(name for name in Version.__struct_fields__ if name != "smoke_passed")
    return (
        select(*system_version.c[own], passed_smoke_of(system_version.c.version_id).label("smoke_passed"))
        .where(system_version.c.key_id == given("key_id"), ~system_version.c.own_run)
        .order_by(system_version.c.created_at, system_version.c.version_id)
    )


async def load_versions(connection: Connection, key_id: str) -> list[Version]:
    return await fetch_all(connection, select_versions(), Version, key_id=key_id)
