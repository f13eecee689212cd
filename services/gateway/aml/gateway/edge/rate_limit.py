"""How often a key and an address may ask. What is over the limit is answered 429 before a handler or the database hears of it.

Each process counts for itself, so `n` gateways allow `n` times as much: this bounds what one caller can cost, it is no quota.
"""

import hashlib
import math
import time
from collections.abc import Callable, Iterable
from ipaddress import IPv6Address
from typing import Annotated, Final

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send
from msgspec import Meta, Struct

from .token_bucket import Rate, TokenBuckets

_LIMITED: Final = "/api/"


class RateSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Requests a second with a burst; 0 a second sets no limit."""

    key_per_second: Annotated[float, Meta(ge=0)] = 20.0
    key_burst: Annotated[int, Meta(ge=1)] = 200
    address_per_second: Annotated[float, Meta(ge=0)] = 40.0
    address_burst: Annotated[int, Meta(ge=1)] = 400
    proxies: Annotated[int, Meta(ge=0, le=8)] = 0
    """Reverse proxies of one's own before the gateway, each of which adds an address to `X-Forwarded-For`."""


def limit_rates(settings: RateSettings, *, clock: Callable[[], float] = time.monotonic) -> Callable[[ASGIApp], ASGIApp]:
    by_key = TokenBuckets(Rate(settings.key_per_second, settings.key_burst))
    by_address = TokenBuckets(Rate(settings.address_per_second, settings.address_burst))

    def middleware(app: ASGIApp) -> ASGIApp:
        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != ScopeType.HTTP or not scope["path"].startswith(_LIMITED):
                await app(scope, receive, send)
                return
            now = clock()
            wait = by_address.take(address_of(scope, settings.proxies), now)
            if not wait and (key := header(scope["headers"], b"authorization")) is not None:
                wait = by_key.take(hashlib.sha256(key).digest()[:16], now)
            if wait:
                await _refuse(send, wait)
            else:
                await app(scope, receive, send)

        return serve

    return middleware


def address_of(scope: Scope, proxies: int) -> bytes:
    """The nearest address that none of one's own proxies has; what a caller writes before it is not believed."""
    client = scope.get("client")
    hops = [client[0].encode()] if client else [b"?"]
    forwarded = header(scope["headers"], b"x-forwarded-for") if proxies else None
    if forwarded is not None:
        hops = [*(part.strip() for part in forwarded.split(b",")), *hops]
    return _of_one_subscriber(hops[-1 - min(proxies, len(hops) - 1)])


def _of_one_subscriber(address: bytes) -> bytes:
    """IPv6 by its /64: everybody who has one address has 2⁶⁴ of them (RFC 6177). What is no address is its own name."""
    if b":" not in address:
        return address
    try:
        parsed = IPv6Address(address.decode("ascii"))
    except ValueError:  # also `UnicodeDecodeError`
        return address
    if (mapped := parsed.ipv4_mapped) is not None:
        return str(mapped).encode()
    return parsed.packed[:8].hex().encode() + b"/64"


def header(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> bytes | None:
    return next((value for field, value in headers if field == name), None)


async def _refuse(send: Send, wait: float) -> None:
    seconds = max(1, math.ceil(wait))
    detail = {
        "reason": "rate_limited",
        "message": f"too many requests; the next one is possible in {seconds} s, and `Retry-After` says so each time",
    }
    body = msgspec.json.encode({"detail": detail})
    await send(
        {
            "type": "http.response.start",
            "status": 429,
            "headers": [
                (b"content-type", b"application/json"),
                (b"content-length", str(len(body)).encode()),
                (b"retry-after", str(seconds).encode()),
            ],
        }
    )
    await send({"type": "http.response.body", "body": body, "more_body": False})
