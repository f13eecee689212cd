"""A job's progress as server-sent events, from the hub's snapshots."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any

from litestar import Request, Response, get
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, HeaderParameter
from litestar.response import Stream

from aml.gateway.edge.authorise import ANY_ROLE, authenticate, bearer_of
from aml.gateway.edge.injected import GivenCaller, GivenParts
from aml.gateway.errors import Unauthenticated
from aml.gateway.parts import Parts
from aml.gateway.storage.database import DATABASE_AWAY

from .job_access import visible_now
from .job_queries import JobRow
from .job_view import job_view
from .progress_hub import snapshot_of

KEEP_ALIVE_SECONDS = 15.0
RETRY_MS = 2000
"""How long a client waits before it comes back."""

_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
_KEEP_ALIVE = b": keep-alive\r\n\r\n"

LastEventId = Annotated[
    str | None,
    HeaderParameter(
        name="Last-Event-ID",
        required=False,
        max_length=200,
        description="The id of the last event that was read; the stream goes on behind it.",
    ),
]


@get(
    "/jobs/{job_id:str}/events",
    summary="Progress as server-sent events",
    guards=[ANY_ROLE],
    media_type="text/event-stream",
    responses={
        204: ResponseSpec(None, description="The job is over, and its last event was read", generate_examples=False)
    },
)
async def stream_progress(
    request: Request[Any, Any, Any],
    parts: GivenParts,
    caller: GivenCaller,
    job_id: FromPath[str],
    last_event_id: LastEventId = None,
) -> Response[bytes | None] | Stream:
    """Each event's data is the job as `GET /jobs/{job_id}` shows it; `Last-Event-ID` repeats none and loses none.

    A comment every 15 s keeps the connection open. The stream ends with the job; asked for again, it answers 204, upon which
    a browser comes back no more.
    """
    row = await visible_now(parts.jobs, caller, job_id)  # a refusal comes before the stream's headers
    now = snapshot_of(job_view(row))
    if now.ended and now.id == last_event_id:
        return Response(None, status_code=204)
    events = _events(parts, row, last_event_id, bearer_of(request))
    return Stream(events, media_type="text/event-stream", headers=_HEADERS)


async def _events(parts: Parts, row: JobRow, last_read: str | None, token: str | None) -> AsyncIterator[bytes]:
    yield f"retry: {RETRY_MS}\r\n\r\n".encode()
    clock = asyncio.get_running_loop().time
    checked_at = clock()
    with parts.progress.watch(row) as watched:
        while not parts.stopping.is_set():
            # Also of a job that is never silent, to whose end a dead key must not read on.
            if clock() >= checked_at + KEEP_ALIVE_SECONDS:
                if not await _may_still_read(parts, token):
                    return
                checked_at = clock()
            newest = watched.newest
            if newest is not None and newest.id != last_read:
                last_read = newest.id
                yield newest.frame
            if newest is not None and newest.ended:
                return
            if watched.newest is newest and not await _woken(watched.next_change()):
                if not await _may_still_read(parts, token):
                    return
                checked_at = clock()
                yield _KEEP_ALIVE


async def _woken(change: asyncio.Future[None]) -> bool:
    """False where nothing happened for as long as a connection may be silent."""
    try:
        await asyncio.wait_for(change, KEEP_ALIVE_SECONDS)
    except TimeoutError:
        return False
    return True


async def _may_still_read(parts: Parts, token: str | None) -> bool:
    """A key that was revoked reads on for as long as a connection may be silent, and no further."""
    try:
        await authenticate(parts, token)
    except Unauthenticated:
        return False
    except DATABASE_AWAY:
        return True  # the stream says so itself
    return True
