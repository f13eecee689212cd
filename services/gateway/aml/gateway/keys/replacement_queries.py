"""A key's text is replaced by another one, and the former texts are known again. Takes a connection, never commits."""

from functools import cache
from typing import Any

from sqlalchemy import Insert, Select, Update, select, update
from sqlalchemy.dialects.postgresql import insert

from aml.gateway.storage.database import Connection
from aml.gateway.storage.statements import execute, fetch_one, fetch_value, given
from aml.gateway.storage.tables import api_key, former_key

from .key_queries import EXPIRED
from .keys import FreshKey, StoredKey


@cache
def select_text_for_update() -> Select[Any]:
    return (
        select(*api_key.c["key_id", "role", "hash"])
        .where(api_key.c.key_id == given("key_id"), api_key.c.revoked_at.is_(None), ~EXPIRED)
        .with_for_update()
    )


@cache
def insert_former() -> Insert:
    """From the key as it is now."""
    source = select(api_key.c.hash, api_key.c.prefix, api_key.c.key_id).where(api_key.c.key_id == given("key_id"))
    return insert(former_key).from_select(["hash", "prefix", "key_id"], source)


@cache
def update_text() -> Update:
    return (
        update(api_key)
        .values(prefix=given("prefix"), hash=given("hash"), rotations=api_key.c.rotations + 1)
        .where(api_key.c.key_id == given("key_id"))
        .returning(api_key.c.rotations)
    )


async def replace_key_text(connection: Connection, key_id: str, old_hash: bytes, key: FreshKey) -> int | None:
    """The rotation's number, from 1; None when `old_hash` is no longer, or not now, the key's own."""
    row = await fetch_one(connection, select_text_for_update(), StoredKey, key_id=key_id)
    if row is None or row.hash != old_hash:
        return None
    await execute(connection, insert_former(), key_id=key_id)
    return int(await fetch_value(connection, update_text(), key_id=key_id, prefix=key.prefix, hash=key.hash))


@cache
def select_unused_for_update() -> Select[Any]:
    return (
        select(api_key.c.hash)
        .where(
            api_key.c.key_id == given("key_id"),
            api_key.c.first_used_at.is_(None),
            api_key.c.revoked_at.is_(None),
            ~EXPIRED,
        )
        .with_for_update()
    )


async def replace_unused_key(connection: Connection, key_id: str, key: FreshKey) -> int | None:
    """As `replace_key_text`; None for a key that was used, or that opens nothing any more."""
    old_hash = await fetch_value(connection, select_unused_for_update(), key_id=key_id)
    return None if old_hash is None else await replace_key_text(connection, key_id, bytes(old_hash), key)


@cache
def select_former() -> Select[Any]:
    return select(former_key.c.key_id).where(former_key.c.hash == given("hash"))


async def is_former_key(connection: Connection, hashed: bytes) -> bool:
    return await fetch_value(connection, select_former(), hash=hashed) is not None
