"""What every answer says to browsers and caches, unless its own handler said otherwise.

No answer carries `Access-Control-Allow-Origin`: a page of another origin can neither read the API nor send it JSON.
"""

from typing import Final

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

_ALWAYS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
)
_PRIVATE: Final = (b"cache-control", b"no-store")
"""For the API: an answer may hold a key or scores that are nobody else's."""


def add_safe_headers(app: ASGIApp) -> ASGIApp:
    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await app(scope, receive, send)
            return
        wanted = (*_ALWAYS, _PRIVATE) if scope["path"].startswith("/api/v1") else _ALWAYS

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message["headers"])
                said = {name.lower() for name, _ in headers}
                message["headers"] = [*headers, *(each for each in wanted if each[0] not in said)]
            await send(message)

        await app(scope, receive, send_with_headers)

    return serve
