"""A reviewer reads the applications and decides."""

from typing import Annotated, Literal

import msgspec
from litestar import get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from aml.contracts.access import AccessApproved, AccessDeclined, VersionBound, VersionDisclosed
from aml.contracts.decisions import DecisionExplained
from aml.contracts.events import Event
from aml.gateway.edge.authorise import REVIEWERS
from aml.gateway.edge.injected import GivenCaller, GivenParts
from aml.gateway.edge.paging import Limit, Offset
from aml.gateway.errors import FieldsInvalid, StateConflict, Unknown
from aml.gateway.keys.expiry import expiry_problem
from aml.gateway.keys.key_queries import add_key, is_live
from aml.gateway.keys.keys import Caller
from aml.gateway.names import known, new_id
from aml.gateway.review.own_system import require_impartial
from aml.gateway.storage.database import Connection
from aml.gateway.storage.outbox import enqueue

from .access_queries import AccessRow, decide_access, load_access, load_access_page
from .bodies import AccessApplication, AccessApproval, AccessDecision
from .checked_intake import check_kept
from .endpoint_check import target_of
from .public_disclosure import disclosed_fields
from .retired_secret_queries import retire_secret
from .version_queries import VersionRow, add_version
from .views import AccessDecided, AccessFile, AccessFiles, EndpointCheck


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
    parts: GivenParts, caller: GivenCaller, access_id: FromPath[str], data: JSONBody[AccessApproval | None] = None
) -> AccessDecided:
    approval = data or AccessApproval()
    if (problem := expiry_problem(approval.key_expires_at, now_ms=parts.clock.now_ms())) is not None:
        raise FieldsInvalid({"key_expires_at": problem})
    async with parts.database.transaction() as connection:
        row, application = await _undecided(connection, access_id, caller)
        require_passed_or_overridden(check_kept(row), approval.override_reason)
        key_id, version_id = row.for_key_id or new_id("key"), new_id("ver")
        if row.for_key_id is None:
            await add_key(
                connection, key_id, "participant", application.organisation, None, expires_at=approval.key_expires_at
            )
        elif not await is_live(connection, row.for_key_id):
            raise StateConflict("key_revoked", "the key that it is for was revoked or is expired; decline the request")
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
            reason=approval.reason,
            override_reason=approval.override_reason.strip() or None,
            key_id=key_id,
            version_id=version_id,
        )
        now = parts.clock.now_ms()
        await enqueue(connection, *_approval(row, application, key_id, version_id, caller, now))
        await enqueue(connection, *_why(access_id, approval, caller, now))
    parts.outbox.wake()
    return AccessDecided(access_id=access_id, state="approved", key_id=key_id, version_id=version_id)


@post("/access-requests/{access_id:str}/decline", summary="Decline", guards=[REVIEWERS], status_code=200)
async def decline(
    parts: GivenParts, caller: GivenCaller, access_id: FromPath[str], data: JSONBody[AccessDecision]
) -> AccessDecided:
    if not data.reason.strip():
        raise FieldsInvalid({"reason": "is empty; the applicant reads it"})
    async with parts.database.transaction() as connection:
        row, _ = await _undecided(connection, access_id, caller)
        await decide_access(connection, access_id, state="declined", by=caller.key_id, reason=data.reason)
        await retire_secret(connection, row.secret_id, version_id=None)
        now = parts.clock.now_ms()
        await enqueue(
            connection, AccessDeclined(at=now, access_id=access_id, reviewer=caller.key_id, reason=data.reason)
        )
    parts.outbox.wake()
    return AccessDecided(access_id=access_id, state="declined")


def require_passed_or_overridden(check: EndpointCheck | None, override_reason: str) -> None:
    """Raises `StateConflict` where endpoints that did not pass would be approved without a word."""
    if (check is None or not check.passed) and not override_reason.strip():
        found = "its endpoints were never checked" if check is None else "the last check of its endpoints did not pass"
        raise StateConflict("endpoint_check_failed", f"{found}; have them checked again, or give an override_reason")


async def _undecided(connection: Connection, access_id: str, caller: Caller) -> tuple[AccessRow, AccessApplication]:
    """Held until the transaction ends. Raises `Unknown`, `StateConflict`, `OwnSystem`."""
    row = await load_access(connection, known("access_request", access_id), lock=True)
    if row is None:
        raise Unknown("access_request", access_id)
    if row.state != "submitted":
        raise StateConflict("already_decided", f"this request was {row.state} by {row.decided_by}; it stays so")
    application = msgspec.json.decode(row.application, type=AccessApplication)
    await require_impartial(connection, caller, key_id=row.for_key_id, organisations=[application.organisation])
    return row, application


def _file(row: AccessRow) -> AccessFile:
    return AccessFile(
        access_id=row.access_id,
        state=row.state,
        created_at=row.created_at,
        application=msgspec.json.decode(row.application, type=AccessApplication),
        has_memory_system_key=row.secret_id is not None,
        endpoint_check=check_kept(row),
        for_key_id=row.for_key_id,
        key_id=row.key_id,
        version_id=row.version_id,
        decided_by=row.decided_by,
        decided_at=row.decided_at,
        reason=row.reason,
        override_reason=row.override_reason,
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
        application=row.application,
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
        VersionDisclosed(at=now_ms, version_id=version_id, key_id=key_id, **disclosed_fields(application)),
    )


def _why(access_id: str, approval: AccessApproval, caller: Caller, now_ms: int) -> tuple[DecisionExplained, ...]:
    approved = DecisionExplained(
        at=now_ms, decision="access_approved", about=access_id, number=1, by=caller.key_id, reason=approval.reason
    )
    if not (override_reason := approval.override_reason.strip()):
        return (approved,)
    overridden = msgspec.structs.replace(approved, decision="endpoint_check_overridden", reason=override_reason)
    return approved, overridden
