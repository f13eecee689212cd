"""The key of an approved request. Each text is shown once; one that nobody has used yet can be asked for anew.

An answer that was lost on its way would else cost the applicant the key. The text before it dies with the new one, and with
the first use of a key its claim is over.
"""

from typing import Any, Final

from litestar import Request, post
from litestar.params import FromPath

from aml.contracts.access import KeyIssued, KeyRotated
from aml.gateway.edge.injected import GivenParts
from aml.gateway.errors import StateConflict
from aml.gateway.keys.key_queries import set_key
from aml.gateway.keys.keys import make_key
from aml.gateway.keys.replacement_queries import replace_unused_key
from aml.gateway.keys.views import KeyShown
from aml.gateway.names import known
from aml.gateway.storage.outbox import enqueue

from .access_queries import load_access, mark_claimed
from .claim_token import require_claim

MOST_TEXTS: Final = 100
"""Each is a fact in the log for good."""


@post("/access-requests/{access_id:str}/claim", summary="Receive the key of an approved request", status_code=201)
async def claim_key(request: Request[Any, Any, Any], parts: GivenParts, access_id: FromPath[str]) -> KeyShown:
    async with parts.database.transaction() as connection:
        row = require_claim(await load_access(connection, known("access_request", access_id), lock=True), request)
        if row.state != "approved" or row.key_id is None:
            raise StateConflict("not_approved", f"this request is {row.state}; a key is given after approval")
        if row.for_key_id is not None:
            raise StateConflict("bound_to_existing_key", "this version was bound to the key you have; use that one")
        key, now = make_key("participant"), parts.clock.now_ms()
        if row.claimed_at is None:
            if not await set_key(connection, row.key_id, key):
                raise StateConflict("key_revoked", "this key was revoked before it was claimed; ask the organisers why")
            await mark_claimed(connection, access_id)
            await enqueue(connection, KeyIssued(at=now, key_id=row.key_id, prefix=key.prefix, role="participant"))
        else:
            number = await replace_unused_key(connection, row.key_id, key)
            if number is None:
                raise StateConflict(
                    "already_claimed", "this key was shown and has been used; with it, rotate it to get another one"
                )
            if number > MOST_TEXTS:
                raise StateConflict(
                    "claims_used_up", f"{MOST_TEXTS} keys were shown and none was used; ask the organisers"
                )
            await enqueue(connection, KeyRotated(at=now, key_id=row.key_id, number=number, prefix=key.prefix))
    parts.outbox.wake()
    return KeyShown(key_id=row.key_id, role="participant", key=key.text, version_id=row.version_id)
