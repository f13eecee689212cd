"""Connections to checked addresses only: resolve once, refuse if any address is bad, check again at the socket.

The connector dials the very addresses that the resolver checked, with the URL's own name as Host and SNI, so a name that
answers differently the second time has no second time. aiohttp does not call a resolver for hosts written as
addresses; these are judged where the socket is made.
"""

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.client_proto import ResponseHandler

from .address_guard import check_address
from .errors import AddressRefused, TransportFailed

Lookup = Callable[[str, int], Awaitable[list[tuple[int, str]]]]
"""Host and port to (address family, address) pairs."""

KEEPALIVE_SECONDS = 4.0
"""Shorter than the 5 s after which common servers close an idle connection: a request never races that close."""


async def system_lookup(host: str, port: int) -> list[tuple[int, str]]:
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [(family, str(address[0])) for family, _, _, _, address in found]


class GuardedResolver(AbstractResolver):
    """Raises `AddressRefused` when any of a name's addresses is not public, even beside good ones."""

    def __init__(self, *, allow_private: bool, timeout_seconds: float, lookup: Lookup = system_lookup) -> None:
        self._allow_private = allow_private
        self._timeout = timeout_seconds
        self._lookup = lookup

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        try:
            async with asyncio.timeout(self._timeout):
                found = await self._lookup(host, port)
        except TimeoutError:
            raise TransportFailed(f"the name {host} did not resolve within its limit", retryable=True) from None
        if not found:
            raise OSError(f"{host} has no address")
        for _, address in found:
            check_address(address, host=host, allow_private=self._allow_private)
        if family != socket.AF_UNSPEC:
            found = [pair for pair in found if pair[0] == family]
        return [
            ResolveResult(
                hostname=host, host=address, port=port, family=kind, proto=0, flags=int(socket.AI_NUMERICHOST)
            )
            for kind, address in found
        ]

    async def close(self) -> None:
        """Holds nothing open."""


class GuardedConnector(aiohttp.TCPConnector):
    """`limit` connections at most; DNS answers are not cached, so each new connection is checked anew."""

    def __init__(
        self,
        *,
        allow_private: bool,
        limit: int,
        connect_seconds: float,
        lookup: Lookup = system_lookup,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        super().__init__(
            resolver=GuardedResolver(allow_private=allow_private, timeout_seconds=connect_seconds, lookup=lookup),
            use_dns_cache=False,
            family=socket.AF_UNSPEC,
            limit=limit,
            keepalive_timeout=KEEPALIVE_SECONDS,
            ssl=ssl_context or True,
            socket_factory=self._open_socket,
        )
        self._allow_private = allow_private

    def _open_socket(self, info: Any) -> socket.socket:
        family, kind, protocol, _, address = info
        check_address(str(address[0]), host="the participant's host", allow_private=self._allow_private)
        return socket.socket(family, kind, protocol)

    async def _wrap_create_connection(self, *args: Any, **kwargs: Any) -> tuple[asyncio.Transport, ResponseHandler]:
        """Before a byte of the request, and so of the key, is sent: is the peer the one that was checked?"""
        transport, protocol = await super()._wrap_create_connection(*args, **kwargs)
        peer = transport.get_extra_info("peername")
        try:
            check_address(str(peer[0]) if peer else "", host="the connection", allow_private=self._allow_private)
        except AddressRefused:
            transport.abort()
            raise
        return transport, protocol
