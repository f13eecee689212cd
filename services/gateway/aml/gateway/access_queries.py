"""All SQL on keys, access requests and versions. Takes a connection, never commits."""

from datetime import datetime
from typing import Any

from msgspec import Struct
from psycopg.rows import class_row

from .database import Connection
from .keys import FreshKey, StoredKey
from .views import Me, Role, Version


class AccessRow(Struct, frozen=True, kw_only=True):
    access_id: str
    created_at: datetime
    application: bytes
    secret_id: str | None
    claim_hash: bytes
    for_key_id: str | None
    state: str
    decided_at: datetime | None
    decided_by: str | None
    reason: str | None
    key_id: str | None
    version_id: str | None
    claimed_at: datetime | None


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


_ACCESS = (
    "access_id, created_at, application, secret_id, claim_hash, for_key_id, state, decided_at, decided_by, reason, "
    "key_id, version_id, claimed_at"
)
_VERSION = (
    "version_id, key_id, system, version, track, division, arm, own_run, target, max_add_concurrency, "
    "max_search_concurrency"
)


async def keys_by_prefix(connection: Connection, prefix: str) -> list[StoredKey]:
    async with connection.cursor(row_factory=class_row(StoredKey)) as cursor:
        await cursor.execute(
            "SELECT key_id, role, hash FROM gateway.api_key WHERE prefix = %s AND revoked_at IS NULL", (prefix,)
        )
        return await cursor.fetchall()


async def load_me(connection: Connection, key_id: str) -> Me | None:
    async with connection.cursor(row_factory=class_row(Me)) as cursor:
        await cursor.execute(
            "SELECT key_id, role, label, prefix, created_at FROM gateway.api_key WHERE key_id = %s", (key_id,)
        )
        return await cursor.fetchone()


async def insert_key(connection: Connection, key_id: str, role: Role, label: str, key: FreshKey | None) -> bool:
    """A key without `key` waits to be claimed. False when this very key is there already."""
    cursor = await connection.execute(
        "INSERT INTO gateway.api_key (key_id, role, label, prefix, hash) VALUES (%s, %s, %s, %s, %s) "
        "ON CONFLICT DO NOTHING",
        (key_id, role, label, key.prefix if key else None, key.hash if key else None),
    )
    return cursor.rowcount == 1


async def set_key(connection: Connection, key_id: str, key: FreshKey) -> None:
    await connection.execute(
        "UPDATE gateway.api_key SET prefix = %s, hash = %s WHERE key_id = %s AND hash IS NULL",
        (key.prefix, key.hash, key_id),
    )


async def insert_access(connection: Connection, values: dict[str, Any]) -> None:
    await connection.execute(
        "INSERT INTO gateway.access_request (access_id, application, secret_id, claim_hash, for_key_id) "
        "VALUES (%(access_id)s, %(application)s, %(secret_id)s, %(claim_hash)s, %(for_key_id)s)",
        values,
    )


async def load_access(connection: Connection, access_id: str, *, lock: bool = False) -> AccessRow | None:
    suffix = " FOR UPDATE" if lock else ""
    async with connection.cursor(row_factory=class_row(AccessRow)) as cursor:
        await cursor.execute(
            f"SELECT {_ACCESS} FROM gateway.access_request WHERE access_id = %s{suffix}",  # noqa: S608  two constants
            (access_id,),
        )
        return await cursor.fetchone()


async def list_access(connection: Connection, state: str | None, limit: int, offset: int) -> list[AccessRow]:
    async with connection.cursor(row_factory=class_row(AccessRow)) as cursor:
        await cursor.execute(
            f"SELECT {_ACCESS} FROM gateway.access_request WHERE (%s::text IS NULL OR state = %s) "  # noqa: S608
            "ORDER BY created_at, access_id LIMIT %s OFFSET %s",
            (state, state, limit, offset),
        )
        return await cursor.fetchall()


async def decide_access(
    connection: Connection,
    access_id: str,
    *,
    state: str,
    by: str,
    reason: str,
    key_id: str | None,
    version_id: str | None,
) -> None:
    await connection.execute(
        "UPDATE gateway.access_request SET state = %s, decided_at = now(), decided_by = %s, reason = %s, "
        "key_id = %s, version_id = %s WHERE access_id = %s",
        (state, by, reason, key_id, version_id, access_id),
    )


async def mark_claimed(connection: Connection, access_id: str) -> None:
    await connection.execute("UPDATE gateway.access_request SET claimed_at = now() WHERE access_id = %s", (access_id,))


async def insert_version(connection: Connection, row: VersionRow) -> bool:
    """False when this version is there already."""
    cursor = await connection.execute(
        f"INSERT INTO gateway.system_version ({_VERSION}) "  # noqa: S608  a constant
        "VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING",
        (
            *(row.version_id, row.key_id, row.system, row.version, row.track, row.division, row.arm, row.own_run),
            *(row.target, row.max_add_concurrency, row.max_search_concurrency),
        ),
    )
    return cursor.rowcount == 1


async def load_version(connection: Connection, version_id: str, key_id: str) -> VersionRow | None:
    async with connection.cursor(row_factory=class_row(VersionRow)) as cursor:
        await cursor.execute(
            f"SELECT {_VERSION} FROM gateway.system_version "  # noqa: S608  a constant
            "WHERE version_id = %s AND key_id = %s AND NOT own_run",
            (version_id, key_id),
        )
        return await cursor.fetchone()


async def list_versions(connection: Connection, key_id: str) -> list[Version]:
    async with connection.cursor(row_factory=class_row(Version)) as cursor:
        await cursor.execute(
            """
            SELECT version_id, system, version, track, division, max_add_concurrency, max_search_concurrency, created_at,
                   EXISTS (SELECT FROM gateway.job j LEFT JOIN gateway.job_progress p USING (job_id)
                           WHERE j.version_id = v.version_id AND j.mode = 'smoke' AND j.state = 'completed'
                             AND coalesce(p.unscored, 0) = 0) AS smoke_passed
            FROM gateway.system_version v WHERE key_id = %s AND NOT own_run ORDER BY created_at, version_id
            """,
            (key_id,),
        )
        return await cursor.fetchall()
