"""The applicant's side, from an application to a key: request, read, claim."""

import hashlib
import hmac
import secrets
from typing import Any

import msgspec
from litestar import Request, get, post
from litestar.params import FromPath, JSONBody

from aml.contracts.access import AccessRequested, KeyIssued
from aml.gateway.edge.authorise import authenticate, bearer_of
from aml.gateway.edge.idempotency import IdempotencyKey, create_once
from aml.gateway.edge.injected import GivenParts
from aml.gateway.errors import RoleMissing, StateConflict, Unauthenticated
from aml.gateway.keys.key_queries import set_key
from aml.gateway.keys.keys import Caller, hash_key, make_key
from aml.gateway.keys.views import KeyShown
from aml.gateway.names import known, new_id
from aml.gateway.parts import Parts
from aml.gateway.storage.database import Connection
from aml.gateway.storage.outbox import enqueue

from .access_queries import AccessRow, add_access, load_access, mark_claimed
from .bodies import AccessApplication
from .endpoint_check import WEB, endpoint_problems, key_problems, require, seal_key
from .views import AccessCreated, AccessState


@post("/access-requests", summary="Ask for a key, or bind a further version to yours")
async def request_access(
    request: Request[Any, Any, Any],
    parts: GivenParts,
    data: JSONBody[AccessApplication],
    idempotency_key: IdempotencyKey = None,
) -> AccessCreated:
    caller = await _participant_or_nobody(request, parts)
    require(application_problems(data, allow_private=parts.settings.network.allow_private))
    open_part = msgspec.structs.replace(data, memory_system_key=None)

    async def create(connection: Connection) -> AccessCreated:
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
    scope = caller.key_id if caller else "public:" + hashlib.sha256(msgspec.json.encode(data)).hexdigest()
    return await create_once(parts, scope=scope, key=idempotency_key, request=data, shape=AccessCreated, create=create)


@get("/access-requests/{access_id:str}", summary="How a request stands; takes its claim token as the Bearer token")
async def read_access(request: Request[Any, Any, Any], parts: GivenParts, access_id: FromPath[str]) -> AccessState:
    async with parts.database.read() as connection:
        row = _require_claim(await load_access(connection, known("access_request", access_id)), request)
    return AccessState(
        access_id=row.access_id,
        state=row.state,  # type: ignore[arg-type]  # the table's own check
        created_at=row.created_at,
        decided_at=row.decided_at,
        reason=row.reason,
        version_id=row.version_id,
        key_claimable=row.state == "approved" and row.for_key_id is None and row.claimed_at is None,
    )


@post("/access-requests/{access_id:str}/claim", summary="Receive the key of an approved request, once", status_code=201)
async def claim_key(request: Request[Any, Any, Any], parts: GivenParts, access_id: FromPath[str]) -> KeyShown:
    async with parts.database.transaction() as connection:
        row = _require_claim(await load_access(connection, known("access_request", access_id), lock=True), request)
        if row.state != "approved" or row.key_id is None:
            raise StateConflict("not_approved", f"this request is {row.state}; a key is given after approval")
        if row.for_key_id is not None:
            raise StateConflict("bound_to_existing_key", "this version was bound to the key you have; use that one")
        if row.claimed_at is not None:
            raise StateConflict("already_claimed", "this key was shown already; if it is lost, ask for a new request")
        key = make_key("participant")
        await set_key(connection, row.key_id, key)
        await mark_claimed(connection, access_id)
        await enqueue(
            connection,
            KeyIssued(at=parts.clock.now_ms(), key_id=row.key_id, prefix=key.prefix, role="participant"),
        )
    parts.outbox.wake()
    return KeyShown(key_id=row.key_id, role="participant", key=key.text, version_id=row.version_id)


def application_problems(application: AccessApplication, *, allow_private: bool) -> dict[str, str]:
    disclosed = application.disclosure
    needed = (
        {"repository": disclosed.repository, "commit": disclosed.commit}
        if application.division == "open_source"
        else {"product_version": disclosed.product_version, "operations_contact": disclosed.operations_contact}
    )
    problems = {
        f"disclosure.{name}": f"is missing; the division {application.division} needs it"
        for name, value in needed.items()
        if not (value or "").strip()
    }
    if not application.public_display_consent:
        problems["public_display_consent"] = "must be true: approved full results are shown in public"
    return (
        problems
        | endpoint_problems(application.endpoints, schemes=WEB, allow_private=allow_private)
        | key_problems(application.auth, application.memory_system_key)
    )


async def _participant_or_nobody(request: Request[Any, Any, Any], parts: Parts) -> Caller | None:
    if (token := bearer_of(request)) is None:
        return None
    caller = await authenticate(parts, token)
    if caller.role != "participant":
        raise RoleMissing(("participant",), caller.role)
    return caller


def _require_claim(row: AccessRow | None, request: Request[Any, Any, Any]) -> AccessRow:
    token = bearer_of(request)
    if token is None:
        raise Unauthenticated("key_missing")
    if row is None or not hmac.compare_digest(row.claim_hash, hash_key(token)):
        raise Unauthenticated("claim_token_unknown")
    return row
