"""Access requests in the database. Takes a connection, never commits."""

from datetime import datetime
from functools import cache
from typing import Any

from msgspec import Struct
from sqlalchemy import Insert, Select, Text, Update, func, select, update
from sqlalchemy.dialects.postgresql import insert

from aml.gateway.storage.database import Connection
from aml.gateway.storage.statements import execute, fetch_all, fetch_one, given
from aml.gateway.storage.tables import access_request


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
    endpoint_check: bytes | None
    override_reason: str | None


@cache
def insert_access() -> Insert:
    columns = ("access_id", "application", "secret_id", "claim_hash", "for_key_id")
    return insert(access_request).values({name: given(name) for name in columns})


async def add_access(
    connection: Connection,
    access_id: str,
    *,
    application: bytes,
    secret_id: str | None,
    claim_hash: bytes,
    for_key_id: str | None,
) -> None:
    await execute(
        connection,
        insert_access(),
        access_id=access_id,
        application=application,
        secret_id=secret_id,
        claim_hash=claim_hash,
        for_key_id=for_key_id,
    )


@cache
def select_access(*, lock: bool = False) -> Select[Any]:
    statement = select(*access_request.c[AccessRow.__struct_fields__]).where(
        access_request.c.access_id == given("access_id")
    )
    return statement.with_for_update() if lock else statement


async def load_access(connection: Connection, access_id: str, *, lock: bool = False) -> AccessRow | None:
    return await fetch_one(connection, select_access(lock=lock), AccessRow, access_id=access_id)


@cache
def select_access_page() -> Select[Any]:
    state = given("state", Text())
    return (
        select(*access_request.c[AccessRow.__struct_fields__])
        .where(state.is_(None) | (access_request.c.state == state))
        .order_by(access_request.c.created_at, access_request.c.access_id)
        .limit(given("limit"))
        .offset(given("offset"))
    )


async def load_access_page(connection: Connection, state: str | None, limit: int, offset: int) -> list[AccessRow]:
    """Oldest first; in every state where `state` is None."""
    return await fetch_all(connection, select_access_page(), AccessRow, state=state, limit=limit, offset=offset)


@cache
def update_access_decision() -> Update:
    columns = ("state", "decided_by", "reason", "override_reason", "key_id", "version_id")
    return (
        update(access_request)
        .values({name: given(name) for name in columns})
        .values(decided_at=func.now())
        .where(access_request.c.access_id == given("access_id"))
    )


async def decide_access(
    connection: Connection,
    access_id: str,
    *,
    state: str,
    by: str,
    reason: str,
    override_reason: str | None = None,
    key_id: str | None = None,
    version_id: str | None = None,
) -> None:
    await execute(
        connection,
        update_access_decision(),
        access_id=access_id,
        state=state,
        decided_by=by,
        reason=reason,
        override_reason=override_reason,
        key_id=key_id,
        version_id=version_id,
    )


@cache
def update_claimed() -> Update:
    return update(access_request).values(claimed_at=func.now()).where(access_request.c.access_id == given("access_id"))


async def mark_claimed(connection: Connection, access_id: str) -> None:
    await execute(connection, update_claimed(), access_id=access_id)


@cache
def update_endpoint_check() -> Update:
    """What a reviewer decided by stays as it was."""
    return (
        update(access_request)
        .values(endpoint_check=given("endpoint_check"))
        .where(access_request.c.access_id == given("access_id"), access_request.c.state == "submitted")
    )


async def set_endpoint_check(connection: Connection, access_id: str, endpoint_check: bytes) -> None:
    await execute(connection, update_endpoint_check(), access_id=access_id, endpoint_check=endpoint_check)


@cache
def update_access_secret() -> Update:
    return (
        update(access_request)
        .values(secret_id=given("secret_id"))
        .where(access_request.c.access_id == given("access_id"))
    )


async def replace_access_secret(connection: Connection, access_id: str, secret_id: str | None) -> None:
    await execute(connection, update_access_secret(), access_id=access_id, secret_id=secret_id)
