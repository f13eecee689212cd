"""What host names resolve to at this moment. Nobody is called: names are looked up, within bounds."""

import asyncio
import socket
from collections.abc import Collection
from typing import Final

MAX_HOSTS: Final = 64
_SECONDS: Final = 2.0


async def resolve_hosts(hosts: Collection[str]) -> dict[str, frozenset[str]]:
    """A name that does not resolve in time has no place in it."""
    found = await asyncio.gather(*(_resolve(host) for host in list(hosts)[:MAX_HOSTS]))
    return {host: addresses for host, addresses in found if addresses}


async def _resolve(host: str) -> tuple[str, frozenset[str]]:
    try:
        async with asyncio.timeout(_SECONDS):
            found = await asyncio.get_running_loop().getaddrinfo(host.strip("[]"), None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError, TimeoutError):
        return host, frozenset()
    return host, frozenset(str(each[4][0]) for each in found)
