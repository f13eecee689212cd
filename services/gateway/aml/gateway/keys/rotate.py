"""A key gets another text. The former one opens nothing from that moment on; whose key it is stays as it was."""

from typing import Any

from litestar import Request, post

from aml.contracts.access import KeyRotated
from aml.gateway.edge.authorise import ANY_ROLE, bearer_of
from aml.gateway.edge.injected import GivenCaller, GivenParts
from aml.gateway.errors import Unauthenticated
from aml.gateway.storage.outbox import enqueue

from .keys import hash_key, make_key
from .replacement_queries import replace_key_text
from .views import KeyShown


@post(
    "/me/key/rotate", summary="Replace this key's text; the former one dies at once", guards=[ANY_ROLE], status_code=200
)
async def rotate_key(request: Request[Any, Any, Any], parts: GivenParts, caller: GivenCaller) -> KeyShown:
    """Of two at once with the same text, one gets the new key and the other is told that its own was replaced."""
    key, presented = make_key(caller.role), bearer_of(request)
    assert presented is not None
    async with parts.database.transaction() as connection:
        number = await replace_key_text(connection, caller.key_id, hash_key(presented), key)
        if number is None:
            raise Unauthenticated("key_replaced")
        await enqueue(
            connection,
            KeyRotated(at=parts.clock.now_ms(), key_id=caller.key_id, number=number, prefix=key.prefix),
        )
    parts.outbox.wake()
    return KeyShown(key_id=caller.key_id, role=caller.role, key=key.text)
