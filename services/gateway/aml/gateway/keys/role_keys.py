"""The keys that operators make, and the list of all keys."""

from typing import Annotated

from litestar import get, post
from litestar.params import JSONBody, QueryParameter

from aml.contracts.access import KeyIssued
from aml.contracts.decisions import DecisionExplained
from aml.gateway.edge.authorise import OPERATORS
from aml.gateway.edge.idempotency import IdempotencyKey, create_once
from aml.gateway.edge.injected import GivenCaller, GivenParts
from aml.gateway.edge.paging import Limit, Offset
from aml.gateway.errors import FieldsInvalid
from aml.gateway.names import new_id
from aml.gateway.parts import Parts
from aml.gateway.storage.database import Connection
from aml.gateway.storage.outbox import enqueue

from .bodies import KeyOrder
from .expiry import expiry_problem
from .key_queries import add_key, load_key_page
from .keys import describe_key, make_key
from .views import KeyFiles, KeyShown, Role

BOOTSTRAP_KEY_ID = "key-bootstrap-operator"


@get("/operator/keys", summary="All keys, oldest first", guards=[OPERATORS])
async def list_keys(
    parts: GivenParts,
    of_role: Annotated[Role | None, QueryParameter(name="role")] = None,
    limit: Limit = 100,
    offset: Offset = 0,
) -> KeyFiles:
    async with parts.database.read() as connection:
        return KeyFiles(keys=tuple(await load_key_page(connection, of_role, limit, offset)))


@post("/operator/keys", summary="Make a reviewer's or an operator's key", guards=[OPERATORS])
async def make_role_key(
    parts: GivenParts, caller: GivenCaller, data: JSONBody[KeyOrder], idempotency_key: IdempotencyKey = None
) -> KeyShown:
    if (problem := expiry_problem(data.expires_at, now_ms=parts.clock.now_ms())) is not None:
        raise FieldsInvalid({"expires_at": problem})

    async def create(connection: Connection) -> KeyShown:
        key, key_id = make_key(data.role), new_id("key")
        await add_key(connection, key_id, data.role, data.label, key, expires_at=data.expires_at)
        now = parts.clock.now_ms()
        by = DecisionExplained(at=now, decision="key_issued", about=key_id, number=1, by=caller.key_id, reason="")
        await enqueue(connection, KeyIssued(at=now, key_id=key_id, prefix=key.prefix, role=data.role), by)
        return KeyShown(key_id=key_id, role=data.role, key=key.text)

    return await create_once(
        parts,
        scope=caller.key_id,
        key=idempotency_key,
        request=data,
        shape=KeyShown,
        create=create,
        shown_once=True,
    )


async def admit_first_operator(parts: Parts) -> None:
    """The key in `operator.key_file`, by its hash. A changed file adds a key; it revokes none, and revives none."""
    file = parts.settings.operator.key_file
    if file is None:
        return
    key = describe_key(file.read_text("ascii").strip())
    key_id = f"{BOOTSTRAP_KEY_ID}-{key.hash.hex()[:12]}"
    async with parts.database.transaction() as connection:
        if await add_key(connection, key_id, "operator", "bootstrap", key):
            await enqueue(
                connection, KeyIssued(at=parts.clock.now_ms(), key_id=key_id, prefix=key.prefix, role="operator")
            )
