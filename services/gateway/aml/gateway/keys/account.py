"""A key's own view, and the keys that operators make."""

from litestar import get, post
from litestar.params import JSONBody

from aml.contracts.access import KeyIssued
from aml.gateway.access.version_queries import load_versions
from aml.gateway.access.views import Versions
from aml.gateway.edge.authorise import ANY_ROLE, OPERATORS
from aml.gateway.edge.idempotency import IdempotencyKey, create_once
from aml.gateway.edge.injected import GivenCaller, GivenParts
from aml.gateway.errors import Unauthenticated
from aml.gateway.names import new_id
from aml.gateway.parts import Parts
from aml.gateway.storage.database import Connection
from aml.gateway.storage.outbox import enqueue

from .bodies import KeyOrder
from .key_queries import add_key, load_me
from .keys import describe_key, make_key
from .views import KeyShown, Me

BOOTSTRAP_KEY_ID = "key-bootstrap-operator"


@get("/me", summary="Whose key this is", guards=[ANY_ROLE])
async def read_me(parts: GivenParts, caller: GivenCaller) -> Me:
    async with parts.database.read() as connection:
        me = await load_me(connection, caller.key_id)
    if me is None:
        raise Unauthenticated("key_unknown")
    return me


@get("/versions", summary="The versions that are bound to this key", guards=[ANY_ROLE])
async def read_versions(parts: GivenParts, caller: GivenCaller) -> Versions:
    async with parts.database.read() as connection:
        return Versions(versions=tuple(await load_versions(connection, caller.key_id)))


@post("/operator/keys", summary="Make a reviewer's or an operator's key", guards=[OPERATORS])
async def make_role_key(
    parts: GivenParts, caller: GivenCaller, data: JSONBody[KeyOrder], idempotency_key: IdempotencyKey = None
) -> KeyShown:
    async def create(connection: Connection) -> KeyShown:
        key, key_id = make_key(data.role), new_id("key")
        await add_key(connection, key_id, data.role, data.label, key)
        await enqueue(connection, KeyIssued(at=parts.clock.now_ms(), key_id=key_id, prefix=key.prefix, role=data.role))
        return KeyShown(key_id=key_id, role=data.role, key=key.text)

    return await create_once(
        parts, scope=caller.key_id, key=idempotency_key, request=data, shape=KeyShown, create=create
    )


async def admit_first_operator(parts: Parts) -> None:
    """The key in `operator.key_file`, by its hash. A changed file adds a key; it revokes none."""
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
