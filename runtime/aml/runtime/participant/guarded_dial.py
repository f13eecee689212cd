"""Connections to checked addresses only: resolve once, refuse if any address is bad, look again at the peer.

What is dialled is the very addresses that were checked, with the URL's own name as Host and SNI, so a name that answers
differently the second time has no second time. Each new connection is checked anew.
"""

import asyncio
import socket
import ssl
from collections import Counter
from functools import cache
from ipaddress import ip_address
from typing import Final

from aiohappyeyeballs import AddrInfoType, start_connection

from .address_guard import check_address
from .errors import AddressRefused, TlsFailed, TransportFailed
from .name_lookup import Found, Lookup, SharedLookup
from .origin import Origin

NEXT_ADDRESS_SECONDS: Final = 0.25
"""RFC 8305 §8: how long one address is tried alone."""
MOST_ADDRESSES: Final = 64
"""A name may have thousands, and each is judged on the loop."""
TRIED_ADDRESSES: Final = 3
"""Of each family. Each that does not answer holds a socket to the end, and a name can list what is not its own."""


class GuardedDial:
    """`allow_private`: addresses that are not public may be called."""

    def __init__(self, *, allow_private: bool, lookup: Lookup, ssl_context: ssl.SSLContext | None) -> None:
        self._allow_private = allow_private
        self._lookup = SharedLookup(lookup)
        self._ssl_context = ssl_context

    async def connect(self, origin: Origin, protocol: asyncio.Protocol, *, seconds: float) -> None:
        """Raises `AddressRefused`, `TransportFailed`, `TlsFailed`. `seconds` are for the name, and again for the connection."""
        addresses = await self.addresses(origin, seconds=seconds)
        try:
            async with asyncio.timeout(seconds):
                sock = await start_connection(addresses, happy_eyeballs_delay=NEXT_ADDRESS_SECONDS, interleave=1)
                try:
                    self._check_peer(sock)
                except BaseException:
                    sock.close()
                    raise
                await self._hand_over(sock, origin, protocol)
        except TimeoutError:
            raise TransportFailed(f"no connection within {seconds:g} s", retryable=True) from None
        except ssl.SSLCertVerificationError:
            raise TlsFailed("the server's certificate is not valid for this host") from None
        except ssl.SSLError:
            raise TlsFailed("the TLS handshake failed", retryable=True) from None
        except OSError:
            raise TransportFailed("the connection was refused or the host is unreachable", retryable=True) from None

    async def addresses(self, origin: Origin, *, seconds: float) -> list[AddrInfoType]:
        """What to try. Raises `AddressRefused` when any that the host leads to is not public, even beside good ones."""
        found = _literal(origin.host) or await self._resolved(origin, seconds)
        if len(found) > MOST_ADDRESSES:
            raise AddressRefused(f"{origin.host} leads to more than {MOST_ADDRESSES} addresses")
        for _, address in found:
            check_address(address, host=origin.host, allow_private=self._allow_private)
        return [
            (family, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", _socket_address(family, address, origin.port))
            for family, address in _first_of_each_family(found)
        ]

    async def _resolved(self, origin: Origin, seconds: float) -> Found:
        try:
            found = await self._lookup.ask(origin.host, origin.port, seconds=seconds)
        except TimeoutError:
            problem = f"the name {origin.host} did not resolve within its limit"
            raise TransportFailed(problem, retryable=True) from None
        except OSError:
            found = []
        if not found:
            raise TransportFailed("the host's name does not resolve", retryable=True)
        return found

    def _check_peer(self, sock: socket.socket) -> None:
        """Before a byte of the request, and so of the key, is sent: is the peer one that was checked?"""
        check_address(str(sock.getpeername()[0]), host="the connection", allow_private=self._allow_private)

    async def _hand_over(self, sock: socket.socket, origin: Origin, protocol: asyncio.Protocol) -> None:
        """The loop's from here on, also to close: it may still wait for a descriptor that was closed behind its back."""
        loop = asyncio.get_running_loop()
        if origin.scheme == "https":
            context = self._ssl_context or _trusting_public_authorities()
            await loop.create_connection(lambda: protocol, sock=sock, ssl=context, server_hostname=origin.host)
        else:
            await loop.create_connection(lambda: protocol, sock=sock)


@cache
def _trusting_public_authorities() -> ssl.SSLContext:
    """One a process: reading the authorities takes 20 ms and some megabytes."""
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context


def _literal(host: str) -> Found:
    try:
        version = ip_address(host).version
    except ValueError:
        return []
    return [(socket.AF_INET if version == 4 else socket.AF_INET6, host)]


def _first_of_each_family(found: Found) -> Found:
    seen: Counter[int] = Counter()
    first = []
    for family, address in found:
        seen[family] += 1
        if seen[family] <= TRIED_ADDRESSES:
            first.append((family, address))
    return first


def _socket_address(family: int, address: str, port: int) -> tuple[str, int] | tuple[str, int, int, int]:
    return (address, port, 0, 0) if family == socket.AF_INET6 else (address, port)
