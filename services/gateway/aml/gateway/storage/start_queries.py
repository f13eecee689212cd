"""What a starting gateway reads and states. Takes a connection, never commits."""

from functools import cache
from typing import Any

from sqlalchemy import BigInteger, Insert, Select, func, select
from sqlalchemy.dialects.postgresql import insert

from .database import Connection
from .statements import execute, fetch_value, given
from .tables import installation, release_lock


@cache
def select_installation_id() -> Select[Any]:
    return select(installation.c.installation_id)


async def load_installation_id(connection: Connection) -> str:
    return str(await fetch_value(connection, select_installation_id()))


@cache
def insert_release_lock() -> Insert:
    columns = ("release_id", "release_digest", "pipeline_digest")
    return insert(release_lock).values({name: given(name) for name in columns}).on_conflict_do_nothing()


async def add_release_lock(connection: Connection, release_id: str, release_digest: str, pipeline_digest: str) -> bool:
    """False when this release was locked with this code before."""
    cursor = await execute(
        connection,
        insert_release_lock(),
        release_id=release_id,
        release_digest=release_digest,
        pipeline_digest=pipeline_digest,
    )
    return cursor.rowcount == 1


@cache
def select_leadership() -> Select[Any]:
    return select(func.pg_try_advisory_lock(given("lock", BigInteger())))


async def take_leadership(connection: Connection, lock: int) -> bool:
    """Held by the connection, until it ends."""
    return bool(await fetch_value(connection, select_leadership(), lock=lock))
