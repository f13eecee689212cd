"""One request and its reply over HTTP. Failures are returned, never raised.

What asyncio or a parser says about a failure is not passed on: its texts and chained exceptions quote headers and whatever
the server sent. Each kind of failure has our own words instead.
"""

import asyncio
from typing import Literal

from aml.contracts.participant import CallLimits
from aml.runtime.secret import Secret

from .connections import Connections
from .errors import AuthenticationRefused, HttpRefused, ParticipantError
from .reply import Reply
from .request_head import RequestHead
from .retry_policy import is_retryable_status, parse_retry_after

EXCERPT_BYTES = 300


async def fetch(
    connections: Connections, head: RequestHead, body: bytes | None, *, limits: CallLimits
) -> Reply | ParticipantError:
    """POST `body`, or GET where it is None."""
    started = asyncio.get_running_loop().time()
    try:
        connection = connections.kept(head.origin)
        if connection is None:
            seconds = min(limits.connect_seconds, limits.first_byte_seconds, limits.total_seconds)
            connection = await connections.open(head.origin, seconds=seconds)
        try:
            request = head.without_body() if body is None else head.with_body(body)
            return await connection.ask(*request, limits=limits, started=started)
        finally:
            connections.give_back(head.origin, connection)
    except ParticipantError as error:
        # Traceback and context lead to frames that hold the request's headers.
        failure = error.with_traceback(None)
    failure.__context__ = failure.__cause__ = None
    return failure


def failure_of_status(reply: Reply, call: Literal["add", "search", "health"], now_ms: int) -> ParticipantError:
    """Of a status that is not the one the contract asks for."""
    status = reply.status
    if status in (401, 403):
        return AuthenticationRefused(f"the participant answered {status}")
    if call != "health" and is_retryable_status(call, status):
        return HttpRefused(
            f"the participant answered {status}",
            retryable=True,
            retry_after=parse_retry_after(reply.retry_after, now_ms),
            advice="check its load and log; retries are bounded",
        )
    if 300 <= status < 400:
        return HttpRefused(
            f"the participant redirected ({status})", advice="redirects are not followed; bind the final URL"
        )
    if status == 202 and call == "add":
        return HttpRefused(
            "Add answered 202, but no status URL is bound to this version",
            advice="answer 200 after the write is durable, or bind an Add status URL with {task_id}",
        )
    return HttpRefused(f"the participant answered {status}, not {'2xx' if call == 'health' else '200'}")


def excerpt_of(body: bytes, secret: Secret | None) -> str:
    """The first bytes as one printable line; the key is taken out before the cut, so that no part of it is left at the edge."""
    window = EXCERPT_BYTES * (1 if secret is None else secret.longest_spelling)
    text = body[:window].decode("utf-8", "backslashreplace")
    if secret is not None:
        text = secret.redact(text)
    text = text[:EXCERPT_BYTES]
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)[
        :EXCERPT_BYTES
    ]
