"""A reviewer reads the applications and decides."""

from typing import Annotated, Literal

import msgspec
from litestar import get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from aml.contracts.access import AccessApproved, AccessDeclined, VersionBound
from aml.contracts.events import Event
from aml.gateway.edge.authorise import REVIEWERS
from aml.gateway.edge.injected import GivenCaller, GivenParts
from aml.gateway.edge.paging import Limit, Offset
from aml.gateway.errors import FieldsInvalid, OwnSystem, StateConflict, Unknown
from aml.gateway.keys.key_queries import add_key
from aml.gateway.keys.keys import Caller
from aml.gateway.names import known, new_id
from aml.gateway.storage.database import Connection
from aml.gateway.storage.outbox import enqueue

from .access_queries import AccessRow, decide_access, load_access, load_access_page
from .bodies import AccessApplication, AccessDecision
from .endpoint_check import target_of
from .version_queries import VersionRow, add_version
from .views import AccessDecided, AccessFile, AccessFiles


@get("/access-requests", summary="Requests, oldest first", guards=[REVIEWERS])
async def list_requests(
    parts: GivenParts,
    in_state: Annotated[Literal["submitted", "approved", "declined"] | None, QueryParameter(name="state")] = None,
    limit: Limit = 100,
    offset: Offset = 0,
) -> AccessFiles:
    async with parts.database.read() as connection:
        rows = await load_access_page(connection, in_state, limit, offset)
    return AccessFiles(requests=tuple(_file(row) for row in rows))


@post("/access-requests/{access_id:str}/approve", summary="Approve", guards=[REVIEWERS], status_code=200)
async def approve(
    parts: GivenParts, caller: GivenCaller, access_id: FromPath[str], data: JSONBody[AccessDecision | None] = None
) -> AccessDecided:
    async with parts.database.transaction() as connection:
        row = await _undecided(connection, access_id, caller)
        application = msgspec.json.decode(row.application, type=AccessApplication)
        key_id, version_id = row.for_key_id or new_id("key"), new_id("ver")
        if row.for_key_id is None:
            await add_key(connection, key_id, "participant", application.organisation, None)
        if not await add_version(connection, _version(row, application, key_id, version_id)):
            raise StateConflict(
                "version_taken",
                f"{application.system} {application.version} is bound to this key and track already; decline the request",
            )
        await decide_access(
            connection,
            access_id,
            state="approved",
            by=caller.key_id,
            reason=data.reason if data else "",
            key_id=key_id,
            version_id=version_id,
        )
        await enqueue(connection, *_approval(row, application, key_id, version_id, caller, parts.clock.now_ms()))
    parts.outbox.wake()
    return AccessDecided(access_id=access_id, state="approved", key_id=key_id, version_id=version_id)


@post("/access-requests/{access_id:str}/decline", summary="Decline", guards=[REVIEWERS], status_code=200)
async def decline(
    parts: GivenParts, caller: GivenCaller, access_id: FromPath[str], data: JSONBody[AccessDecision]
) -> AccessDecided:
    if not data.reason.strip():
        raise FieldsInvalid({"reason": "is empty; the applicant reads it"})
    async with parts.database.transaction() as connection:
        await _undecided(connection, access_id, caller)
        await decide_access(
            connection, access_id, state="declined", by=caller.key_id, reason=data.reason, key_id=None, version_id=None
        )
        now = parts.clock.now_ms()
        await enqueue(
            connection, AccessDeclined(at=now, access_id=access_id, reviewer=caller.key_id, reason=data.reason)
        )
    parts.outbox.wake()
    return AccessDecided(access_id=access_id, state="declined")


async def _undecided(connection: Connection, access_id: str, caller: Caller) -> AccessRow:
    row = await load_access(connection, known("access_request", access_id), lock=True)
    if row is None:
        raise Unknown("access_request", access_id)
    if row.state != "submitted":
        raise StateConflict("already_decided", f"this request was {row.state} by {row.decided_by}; it stays so")
    if row.for_key_id == caller.key_id:
        raise OwnSystem
    return row


def _file(row: AccessRow) -> AccessFile:
    return AccessFile(
        access_id=row.access_id,
        state=row.state,
        created_at=row.created_at,
        application=msgspec.json.decode(row.application, type=AccessApplication),
        has_memory_system_key=row.secret_id is not None,
        for_key_id=row.for_key_id,
        decided_by=row.decided_by,
        decided_at=row.decided_at,
        reason=row.reason,
    )


def _version(row: AccessRow, application: AccessApplication, key_id: str, version_id: str) -> VersionRow:
    return VersionRow(
        version_id=version_id,
        key_id=key_id,
        system=application.system,
        version=application.version,
        track=application.track,
        division=application.division,
        arm="participant",
        own_run=False,
        target=msgspec.json.encode(target_of(application.endpoints, application.auth, row.secret_id)),
        max_add_concurrency=application.capacity.max_add_concurrency,
        max_search_concurrency=application.capacity.max_search_concurrency,
    )


def _approval(
    row: AccessRow, application: AccessApplication, key_id: str, version_id: str, caller: Caller, now_ms: int
) -> tuple[Event, ...]:
    return (
        AccessApproved(
            at=now_ms, access_id=row.access_id, key_id=key_id, version_id=version_id, reviewer=caller.key_id
        ),
        VersionBound(
            at=now_ms,
            version_id=version_id,
            key_id=key_id,
            system=application.system,
            version=application.version,
            track=application.track,
            division=application.division,
        ),
    )
