"""One decision at a time on a key and track."""

from functools import cache
from typing import Any

from sqlalchemy import Select, Text, func, select

from .database import Connection
from .statements import execute, fetch_value, given
from .tables import system_version

_NAME = "aml-gateway-jobs"


@cache
def select_lock() -> Select[Any]:
    return select(func.pg_advisory_xact_lock(func.hashtextextended(given("name", Text()), 0)))


async def lock_key_and_track(connection: Connection, key_id: str, track: str) -> None:
    """Decisions on one key and track follow one another; held until the transaction ends."""
    await execute(connection, select_lock(), name=f"{_NAME}\x1f{key_id}\x1f{track}")


@cache
def select_lock_of_version() -> Select[Any]:
    name = func.concat(_NAME, "\x1f", system_version.c.key_id, "\x1f", system_version.c.track)
    return select(func.pg_advisory_xact_lock(func.hashtextextended(name, 0))).where(
        system_version.c.version_id == given("version_id"),
        system_version.c.key_id == given("key_id"),
        ~system_version.c.own_run,
    )


async def lock_track_of(connection: Connection, version_id: str, key_id: str) -> bool:
    """As `lock_key_and_track`, for the track that the key's version is bound to. False where there is no such version."""
    return await fetch_value(connection, select_lock_of_version(), version_id=version_id, key_id=key_id) is not None
