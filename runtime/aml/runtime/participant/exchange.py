"""One request and its reply over HTTP, under deadlines and a byte cap. Failures are returned, never raised.

What the HTTP library says about a failure is not passed on: its texts and chained exceptions quote headers and whatever the
server sent. Each kind of failure has our own words instead.
"""

import asyncio
import io
from contextlib import AbstractAsyncContextManager
from typing import Literal

import aiohttp
from aiohttp.http_exceptions import HttpProcessingError
from msgspec import Struct
from multidict import CIMultiDict
from yarl import URL

from aml.contracts.participant import CallLimits
from aml.runtime.secret import Secret

from .errors import (
    AuthenticationRefused,
    HttpRefused,
    LimitExceeded,
    ParticipantError,
    TlsFailed,
    TransportFailed,
)
from .retry_policy import is_retryable_status, parse_retry_after
from .short_request import Answer, ShortRequests

EXCERPT_BYTES = 300
LARGE_REQUEST_BYTES = 1 << 18
LARGE_RESPONSE_BYTES = 1 << 20
"""A body above this holds one of the client's few places for large bodies until it has been read and judged, so that 256
calls at once never hold 256 bodies of 30 MiB. Who waits for a place leaves the rest to TCP's window."""


class Reply(Struct, frozen=True, kw_only=True):
    status: int
    body: bytes
    retry_after: str | None
    place: asyncio.Semaphore | None = None
    """Of a large body: to be given back with `release` once it is no longer needed."""

    def release(self) -> None:
        if self.place is not None:
            self.place.release()


async def fetch(
    session: aiohttp.ClientSession,
    short: ShortRequests,
    url: URL,
    body: bytes | None,
    *,
    headers: CIMultiDict[str] | None,
    limits: CallLimits,
    large_bodies: asyncio.Semaphore,
) -> Reply | ParticipantError:
    """POST `body`, or GET where it is None."""
    status: int | None = None
    waiting_for = f"the first byte did not come within {limits.first_byte_seconds:g} s"
    try:
        started = asyncio.get_running_loop().time()
        async with asyncio.timeout(min(limits.first_byte_seconds, limits.total_seconds)) as deadline:
            async with _answer(session, short, url, body, headers) as answer:
                if limits.first_byte_seconds < limits.total_seconds:
                    deadline.reschedule(started + limits.total_seconds)
                waiting_for = f"the response was not complete within {limits.total_seconds:g} s"
                status = answer.status
                outcome = await _read(answer, limits.max_response_bytes, large_bodies)
    except ParticipantError as error:
        outcome = error
    except TimeoutError as error:
        connecting = isinstance(error, aiohttp.ConnectionTimeoutError)
        outcome = TransportFailed(
            f"no connection within {limits.connect_seconds:g} s" if connecting else waiting_for, retryable=True
        )
    except (aiohttp.ClientError, HttpProcessingError, OSError, ValueError) as error:
        outcome = _failure_of(error)
    if isinstance(outcome, ParticipantError):
        outcome.status = status
        # Traceback and context lead to frames that hold the request's headers.
        outcome = outcome.with_traceback(None)
        outcome.__context__ = outcome.__cause__ = None
    return outcome


def _answer(
    session: aiohttp.ClientSession, short: ShortRequests, url: URL, body: bytes | None, headers: CIMultiDict[str] | None
) -> AbstractAsyncContextManager[Answer | aiohttp.ClientResponse]:
    if body is None:
        return session.get(url, headers=headers, allow_redirects=False)
    if len(body) <= LARGE_REQUEST_BYTES:
        return short.post(url, body)
    # In pieces, so that other calls move between them.
    return session.post(url, data=io.BytesIO(body), headers=headers, allow_redirects=False)


async def _read(
    response: Answer | aiohttp.ClientResponse, cap: int, large_bodies: asyncio.Semaphore
) -> Reply | ParticipantError:
    encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding not in ("", "identity"):
        response.close()
        if response.status != 200:
            # The status decides; a proxy's compressed error page must not make a busy server a broken contract.
            return Reply(status=response.status, body=b"", retry_after=response.headers.get("Retry-After"))
        return HttpRefused(
            "the response is compressed although the request said Accept-Encoding: identity",
            advice="switch compression off for these calls",
        )
    if (response.content_length or 0) > cap:
        response.close()
        return _too_large(cap)
    place: asyncio.Semaphore | None = None
    parts: list[bytes] = []
    size = 0
    complete = False
    try:
        while chunk := await response.content.readany():
            parts.append(chunk)
            size += len(chunk)
            if size > cap:
                response.close()
                return _too_large(cap)
            if size > LARGE_RESPONSE_BYTES and place is None:
                await large_bodies.acquire()
                place = large_bodies
        complete = True
    finally:
        if place is not None and not complete:
            place.release()
    return Reply(
        status=response.status,
        body=parts[0] if len(parts) == 1 else b"".join(parts),
        retry_after=response.headers.get("Retry-After"),
        place=place,
    )


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


def _too_large(cap: int) -> LimitExceeded:
    return LimitExceeded(f"the response is larger than {cap} bytes")


def _failure_of(error: Exception) -> ParticipantError:
    match error:
        case aiohttp.ClientConnectorCertificateError():
            return TlsFailed("the server's certificate is not valid for this host")
        case aiohttp.ClientSSLError():
            return TlsFailed("the TLS handshake failed", retryable=True)
        case aiohttp.ClientConnectorDNSError():
            return TransportFailed("the host's name does not resolve", retryable=True)
        case aiohttp.ClientConnectorError():
            return TransportFailed("the connection was refused or the host is unreachable", retryable=True)
        case aiohttp.ServerDisconnectedError():
            return TransportFailed("the server closed the connection without an answer", retryable=True)
        case aiohttp.ClientPayloadError():
            return TransportFailed("the response broke off before its announced end", retryable=True)
        case aiohttp.ClientResponseError() | HttpProcessingError():
            return HttpRefused(
                "the answer is not HTTP that can be read", advice="check that an HTTP server listens there"
            )
        case _:
            return TransportFailed("the connection broke", retryable=True)
