"""Keys in the database. Takes a connection, never commits."""

from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Insert, Select, Text, Update, any_, func, select, update
from sqlalchemy.dialects.postgresql import ARRAY, insert

from aml.gateway.storage.database import Connection
from aml.gateway.storage.statements import execute, fetch_all, fetch_column, fetch_one, fetch_value, given
from aml.gateway.storage.tables import api_key

from .keys import FreshKey, StoredKey
from .views import KeyFile, Me, Role

EXPIRED = func.coalesce(api_key.c.expires_at <= func.now(), False)
"""A key without an end never is."""


@cache
def select_keys_by_prefix() -> Select[Any]:
    return select(
        *api_key.c["prefix", "key_id", "role", "hash"],
        api_key.c.revoked_at.is_not(None).label("revoked"),
        EXPIRED.label("expired"),
        api_key.c.first_used_at.is_not(None).label("used"),
    ).where(api_key.c.prefix == any_(given("prefixes", ARRAY(Text()))))


async def load_keys_by_prefix(connection: Connection, prefixes: list[str]) -> dict[str, list[StoredKey]]:
    found: dict[str, list[StoredKey]] = {}
    for key in await fetch_all(connection, select_keys_by_prefix(), StoredKey, prefixes=prefixes):
        found.setdefault(key.prefix, []).append(key)
    return found


@cache
def update_used() -> Update:
    return (
        update(api_key)
        .values(first_used_at=func.now())
        .where(api_key.c.key_id == given("key_id"), api_key.c.first_used_at.is_(None))
    )


async def mark_used(connection: Connection, key_id: str) -> None:
    await execute(connection, update_used(), key_id=key_id)


@cache
def select_me() -> Select[Any]:
    return select(*api_key.c[Me.__struct_fields__]).where(api_key.c.key_id == given("key_id"))


async def load_me(connection: Connection, key_id: str) -> Me | None:
    return await fetch_one(connection, select_me(), Me, key_id=key_id)


@cache
def select_live() -> Select[Any]:
    return select(api_key.c.key_id).where(api_key.c.key_id == given("key_id"), api_key.c.revoked_at.is_(None), ~EXPIRED)


async def is_live(connection: Connection, key_id: str) -> bool:
    return await fetch_value(connection, select_live(), key_id=key_id) is not None


@cache
def select_key_page() -> Select[Any]:
    role = given("role", Text())
    return (
        select(*api_key.c[KeyFile.__struct_fields__])
        .where(role.is_(None) | (api_key.c.role == role))
        .order_by(api_key.c.created_at, api_key.c.key_id)
        .limit(given("limit"))
        .offset(given("offset"))
    )


async def load_key_page(connection: Connection, role: Role | None, limit: int, offset: int) -> list[KeyFile]:
    """Oldest first; of every role where `role` is None."""
    return await fetch_all(connection, select_key_page(), KeyFile, role=role, limit=limit, offset=offset)


@cache
def insert_key() -> Insert:
    columns = ("key_id", "role", "label", "prefix", "hash", "expires_at")
    return insert(api_key).values({name: given(name) for name in columns}).on_conflict_do_nothing()


async def add_key(
    connection: Connection,
    key_id: str,
    role: Role,
    label: str,
    key: FreshKey | None,
    *,
    expires_at: datetime | None = None,
) -> bool:
    """A key without `key` waits to be claimed. False when this very key is there already."""
    cursor = await execute(
        connection,
        insert_key(),
        key_id=key_id,
        role=role,
        label=label,
        prefix=key.prefix if key else None,
        hash=key.hash if key else None,
        expires_at=expires_at,
    )
    return cursor.rowcount == 1


@cache
def update_unclaimed_key() -> Update:
    return (
        update(api_key)
        .values(prefix=given("prefix"), hash=given("hash"))
        .where(api_key.c.key_id == given("key_id"), api_key.c.hash.is_(None), api_key.c.revoked_at.is_(None))
    )


async def set_key(connection: Connection, key_id: str, key: FreshKey) -> bool:
    """False for a key that was revoked before its claim."""
    cursor = await execute(connection, update_unclaimed_key(), key_id=key_id, prefix=key.prefix, hash=key.hash)
    return cursor.rowcount == 1


@cache
def update_revoked() -> Update:
    return (
        update(api_key)
        .values(revoked_at=func.now(), revoked_by=given("revoked_by"), revoked_reason=given("revoked_reason"))
        .where(api_key.c.key_id == given("key_id"), api_key.c.revoked_at.is_(None))
    )


async def end_key(connection: Connection, key_id: str, *, by: str, reason: str) -> bool:
    """False when it was revoked before."""
    cursor = await execute(connection, update_revoked(), key_id=key_id, revoked_by=by, revoked_reason=reason)
    return cursor.rowcount == 1


@cache
def select_role() -> Select[Any]:
    return select(api_key.c.role).where(api_key.c.key_id == given("key_id"))


async def load_role(connection: Connection, key_id: str) -> Role | None:
    role: Role | None = await fetch_value(connection, select_role(), key_id=key_id)
    return role


@cache
def select_live_operators() -> Select[Any]:
    return (
        select(api_key.c.key_id)
        .where(api_key.c.role == "operator", api_key.c.revoked_at.is_(None), ~EXPIRED)
        .order_by(api_key.c.key_id)
        .with_for_update()
    )


async def hold_live_operators(connection: Connection) -> list[str]:
    """Their ids, locked: two who revoke each other do it one after the other."""
    return await fetch_column(connection, select_live_operators())
