"""Keys in the database. Takes a connection, never commits."""

from functools import cache
from typing import Any

from sqlalchemy import Insert, Select, Update, select, update
from sqlalchemy.dialects.postgresql import insert

from aml.gateway.storage.database import Connection
from aml.gateway.storage.statements import execute, fetch_all, fetch_one, given
from aml.gateway.storage.tables import api_key

from .keys import FreshKey, StoredKey
from .views import Me, Role


@cache
def select_keys_by_prefix() -> Select[Any]:
    return select(*api_key.c["key_id", "role", "hash"]).where(
        api_key.c.prefix == given("prefix"), api_key.c.revoked_at.is_(None)
    )


async def load_keys_by_prefix(connection: Connection, prefix: str) -> list[StoredKey]:
    return await fetch_all(connection, select_keys_by_prefix(), StoredKey, prefix=prefix)


@cache
def select_me() -> Select[Any]:
    return select(*api_key.c["key_id", "role", "label", "prefix", "created_at"]).where(
        api_key.c.key_id == given("key_id")
    )


async def load_me(connection: Connection, key_id: str) -> Me | None:
    return await fetch_one(connection, select_me(), Me, key_id=key_id)


@cache
def insert_key() -> Insert:
    columns = ("key_id", "role", "label", "prefix", "hash")
    return insert(api_key).values({name: given(name) for name in columns}).on_conflict_do_nothing()


async def add_key(connection: Connection, key_id: str, role: Role, label: str, key: FreshKey | None) -> bool:
    """A key without `key` waits to be claimed. False when this very key is there already."""
    cursor = await execute(
        connection,
        insert_key(),
        key_id=key_id,
        role=role,
        label=label,
        prefix=key.prefix if key else None,
        hash=key.hash if key else None,
    )
    return cursor.rowcount == 1


@cache
def update_unclaimed_key() -> Update:
    return (
        update(api_key)
        .values(prefix=given("prefix"), hash=given("hash"))
        .where(api_key.c.key_id == given("key_id"), api_key.c.hash.is_(None))
    )


async def set_key(connection: Connection, key_id: str, key: FreshKey) -> None:
    await execute(connection, update_unclaimed_key(), key_id=key_id, prefix=key.prefix, hash=key.hash)
