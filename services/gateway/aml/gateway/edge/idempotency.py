"""`Idempotency-Key`: a creation that is sent again gets its first answer, and nothing is created twice.

The record is written in the creation's own transaction, so a double click waits for the first and then reads its answer.
Answers may hold a key or a claim token, so they are sealed.
"""

import hashlib
from collections.abc import Awaitable, Callable
from typing import Annotated, TypeVar

import msgspec
from litestar.params import HeaderParameter
from msgspec import Struct

from aml.gateway.errors import StateConflict
from aml.gateway.parts import Parts
from aml.gateway.storage.database import Connection
from aml.runtime.key_encryption import SealBroken

from .idempotency_queries import claim, load_first_answer, set_answer

A = TypeVar("A", bound=Struct)

IdempotencyKey = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        required=False,
        pattern=r"^[\x21-\x7e]{1,200}$",
        description="Any text of your own for this creation; sent again with it, the same request gets the first answer.",
    ),
]

_PURPOSE = b"idempotency"


async def create_once(
    parts: Parts,
    *,
    scope: str,
    key: str | None,
    request: Struct,
    shape: type[A],
    create: Callable[[Connection], Awaitable[A]],
) -> A:
    """Runs `create` in one transaction, or returns what it returned before. `scope` keeps callers apart."""
    async with parts.database.transaction() as connection:
        if key is None:
            answer = await create(connection)
        else:
            answer = await _create_keyed(connection, parts, scope, key, request, shape, create)
    parts.outbox.wake()
    return answer


async def _create_keyed(
    connection: Connection,
    parts: Parts,
    scope: str,
    key: str,
    request: Struct,
    shape: type[A],
    create: Callable[[Connection], Awaitable[A]],
) -> A:
    request_hash = hashlib.sha256(msgspec.json.encode(request, order="sorted")).digest()
    bound_to = f"{scope}\x00{key}".encode()
    if await claim(connection, scope, key, request_hash):
        answer = await create(connection)
        await set_answer(connection, scope, key, parts.kek.seal(_PURPOSE, msgspec.json.encode(answer), bound_to))
        return answer
    row = await load_first_answer(connection, scope, key)
    assert row is not None
    if row.request_hash != request_hash:
        raise StateConflict(
            "idempotency_key_reused", "this Idempotency-Key was sent with another request; choose a new one"
        )
    try:
        _, first = parts.kek.open_sealed(_PURPOSE, row.answer, bound_to)
    except SealBroken:
        raise StateConflict(
            "idempotency_answer_gone", "this was created, and its first answer is no longer kept; list what you have"
        ) from None
    return msgspec.json.decode(first, type=shape)
