"""What was created under which `Idempotency-Key`. Takes a connection, never commits."""

from functools import cache
from typing import Any

from msgspec import Struct
from sqlalchemy import Insert, Select, Update, select, update
from sqlalchemy.dialects.postgresql import insert

from aml.gateway.storage.database import Connection
from aml.gateway.storage.statements import execute, fetch_one, given
from aml.gateway.storage.tables import idempotency


class FirstAnswer(Struct, frozen=True, kw_only=True):
    request_hash: bytes
    answer: bytes
    """Sealed."""


@cache
def insert_claim() -> Insert:
    columns = ("scope", "key", "request_hash")
    return insert(idempotency).values({name: given(name) for name in columns}).on_conflict_do_nothing()


async def claim(connection: Connection, scope: str, key: str, request_hash: bytes) -> bool:
    """False when the key was used before. Waits for a transaction that is using it now."""
    return (await execute(connection, insert_claim(), scope=scope, key=key, request_hash=request_hash)).rowcount == 1


@cache
def update_answer() -> Update:
    return (
        update(idempotency)
        .values(answer=given("answer"))
        .where(idempotency.c.scope == given("scope"), idempotency.c.key == given("key"))
    )


async def set_answer(connection: Connection, scope: str, key: str, answer: bytes) -> None:
    await execute(connection, update_answer(), scope=scope, key=key, answer=answer)


@cache
def select_first_answer() -> Select[Any]:
    return select(*idempotency.c["request_hash", "answer"]).where(
        idempotency.c.scope == given("scope"), idempotency.c.key == given("key")
    )


async def load_first_answer(connection: Connection, scope: str, key: str) -> FirstAnswer | None:
    return await fetch_one(connection, select_first_answer(), FirstAnswer, scope=scope, key=key)
