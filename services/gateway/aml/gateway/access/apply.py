"""An application: stored first, then its endpoints are checked. A check that fails, or that dies, loses nothing."""

import hashlib
import secrets
from typing import Any, Final

import msgspec
from litestar import Request, get, post
from litestar.params import FromPath, JSONBody

from aml.contracts.access import AccessRequested
from aml.gateway.edge.authorise import participant_or_nobody
from aml.gateway.edge.idempotency import IdempotencyKey, create_once, fingerprint
from aml.gateway.edge.injected import GivenParts
from aml.gateway.edge.rate_limit import address_of
from aml.gateway.errors import MustWait
from aml.gateway.keys.keys import hash_key
from aml.gateway.names import known, new_id
from aml.gateway.parts import Parts
from aml.gateway.storage.database import DATABASE_AWAY, Connection
from aml.gateway.storage.outbox import enqueue

from .access_queries import AccessRow, add_access, load_access
from .application_check import application_problems
from .bodies import AccessApplication
from .checked_intake import check_and_keep, check_kept
from .claim_token import require_claim
from .endpoint_check import require, seal_key
from .endpoint_visit import not_made
from .views import AccessCreated, AccessState, EndpointCheck

_PATIENCE_SECONDS: Final = 12.0
"""For the caller's own earlier checks; what waits longer is stored as not checked."""


@post("/access-requests", summary="Ask for a key, or bind a further version to yours")
async def request_access(
    request: Request[Any, Any, Any],
    parts: GivenParts,
    data: JSONBody[AccessApplication],
    idempotency_key: IdempotencyKey = None,
) -> AccessCreated:
    caller = await participant_or_nobody(request, parts)
    require(application_problems(data, allow_private=parts.settings.network.allow_private))
    open_part = msgspec.structs.replace(data, memory_system_key=None)

    async def create(connection: Connection) -> AccessCreated:
        if caller is None:
            parts.strangers.admit(address_of(request.scope, parts.settings.rate.proxies))
        access_id, claim_token = new_id("acc"), f"claim_{secrets.token_urlsafe(32)}"
        application = msgspec.json.encode(open_part, order="sorted")
        await add_access(
            connection,
            access_id,
            application=application,
            secret_id=await seal_key(parts.vault, data.memory_system_key),
            claim_hash=hash_key(claim_token),
            for_key_id=caller.key_id if caller else None,
        )
        await enqueue(
            connection,
            AccessRequested(
                at=parts.clock.now_ms(),
                access_id=access_id,
                system=data.system,
                version=data.version,
                track=data.track,
                division=data.division,
                disclosure=hashlib.sha256(application).hexdigest(),
            ),
        )
        return AccessCreated(access_id=access_id, state="submitted", claim_token=claim_token)

    # Nobody else's replay: without a key, the scope is the whole request.
    scope = caller.key_id if caller else f"public:{fingerprint(parts.kek, data).hex()}"
    created = await create_once(
        parts, scope=scope, key=idempotency_key, request=data, shape=AccessCreated, create=create
    )
    return msgspec.structs.replace(created, endpoint_check=await _checked(request, parts, created.access_id, data))


@get("/access-requests/{access_id:str}", summary="How a request stands; takes its claim token as the Bearer token")
async def read_access(request: Request[Any, Any, Any], parts: GivenParts, access_id: FromPath[str]) -> AccessState:
    async with parts.database.read() as connection:
        row = require_claim(await load_access(connection, known("access_request", access_id)), request)
    return state_of(row)


def state_of(row: AccessRow) -> AccessState:
    return AccessState(
        access_id=row.access_id,
        state=row.state,  # type: ignore[arg-type]  # the table's own check
        created_at=row.created_at,
        decided_at=row.decided_at,
        reason=row.reason,
        version_id=row.version_id,
        key_claimable=row.state == "approved" and row.for_key_id is None and row.claimed_at is None,
        endpoint_check=check_kept(row),
    )


async def _checked(
    request: Request[Any, Any, Any], parts: Parts, access_id: str, data: AccessApplication
) -> EndpointCheck:
    """A request that was sent twice is checked once: the second waits for the first one's turn and reads what it found."""
    try:
        return await check_and_keep(
            request, parts, access_id, data, data.memory_system_key, again=False, patience_seconds=_PATIENCE_SECONDS
        )
    except MustWait as wait:
        return not_made(wait.message, at_ms=parts.clock.now_ms())
    except DATABASE_AWAY:
        # The application is stored and its claim token is in this answer: neither may be lost for a note beside them.
        return not_made("the database went away meanwhile; check again", at_ms=parts.clock.now_ms())
