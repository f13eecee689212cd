"""A name for every request, in its answer and in every log line that it causes.

A caller's own `X-Request-Id` is kept where it is harmless in a log, so that both sides search for one word.
"""

import re
import secrets
from collections.abc import Iterable
from typing import Final

import structlog
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

HEADER: Final = "X-Request-Id"
_NAME: Final = HEADER.lower().encode()
_HARMLESS: Final = re.compile(rb"[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z")


def name_requests(app: ASGIApp) -> ASGIApp:
    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await app(scope, receive, send)
            return
        name = request_id_of(scope["headers"])

        async def send_named(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], (_NAME, name)]
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=name.decode()):
            await app(scope, receive, send_named)

    return serve


def request_id_of(headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """The caller's own name for the request, or a fresh one."""
    for field, value in headers:
        if field == _NAME and _HARMLESS.match(value):
            return value
    return f"req_{secrets.token_urlsafe(12)}".encode()
