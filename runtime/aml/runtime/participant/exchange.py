"""One request and its reply over HTTP. Failures are returned, never raised.

What asyncio or a parser says about a failure is not passed on: its texts and chained exceptions quote headers and whatever
the server sent. Each kind of failure has our own words instead.
"""

import asyncio

from aml.contracts.participant import CallLimits

from .connections import Connections
from .errors import ParticipantError
from .reply import Reply
from .request_head import RequestHead


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
