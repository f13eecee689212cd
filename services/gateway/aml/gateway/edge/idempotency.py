"""`Idempotency-Key`: a creation that is sent again gets its first answer, and nothing is created twice.

The record is written in the creation's own transaction, so a double click waits for the first and then reads its answer.
Answers may hold a key or a claim token, so they are sealed.
"""

import hashlib
import hmac
from collections.abc import Awaitable, Callable
from typing import Annotated, TypeVar

import msgspec
from litestar.params import HeaderParameter
from msgspec import Struct

from aml.gateway.errors import StateConflict
from aml.gateway.parts import Parts
from aml.gateway.storage.database import Connection
from aml.runtime.key_encryption import KeyEncryptionKey, SealBroken

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
    shown_once: bool = False,
) -> A:
    """Runs `create` in one transaction, or returns what it returned before. `scope` keeps callers apart.

    With `shown_once` no answer is kept, not even sealed, and a replay is a `StateConflict`: whoever learns the
    `Idempotency-Key` must not get the key that was shown to another.
    """
    async with parts.database.transaction() as connection:
        if key is None:
            answer = await create(connection)
        else:
            answer = await _create_keyed(connection, parts, scope, key, request, shape, create, keep=not shown_once)
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
    *,
    keep: bool,
) -> A:
    request_hash = fingerprint(parts.kek, request)
    bound_to = f"{scope}\x00{key}".encode()
    if await claim(connection, scope, key, request_hash):
        answer = await create(connection)
        if keep:
            await set_answer(connection, scope, key, parts.kek.seal(_PURPOSE, msgspec.json.encode(answer), bound_to))
        return answer
    row = await load_first_answer(connection, scope, key)
    assert row is not None
    if row.request_hash != request_hash:
        raise StateConflict(
            "idempotency_key_reused", "this Idempotency-Key was sent with another request; choose a new one"
        )
    if not keep:
        raise StateConflict(
            "shown_already", "this was created by the first request, which was shown the key; nothing was created again"
        )
    try:
        _, first = parts.kek.open_sealed(_PURPOSE, row.answer, bound_to)
    except SealBroken:
        raise StateConflict(
            "idempotency_answer_gone", "this was created, and its first answer is no longer kept; list what you have"
        ) from None
    return msgspec.json.decode(first, type=shape)


def fingerprint(kek: KeyEncryptionKey, request: Struct) -> bytes:
    """Keyed, since a request may hold a memory system key: a bare hash would let a reader of the database guess it."""
    return hmac.digest(kek.derive(_PURPOSE), msgspec.json.encode(request, order="sorted"), hashlib.sha256)
