"""What addresses a name has now. Answers are not kept; those who want the same name at the same time ask once."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

Found = list[tuple[int, str]]
"""(address family, address) pairs."""
Lookup = Callable[[str, int], Awaitable[Found]]
"""Of a host and a port. Raises `OSError`."""

THREADS: Final = 32

_threads: Final = ThreadPoolExecutor(THREADS, thread_name_prefix="resolve")
"""One for the process. uvloop's own lookups share two threads, which two names that hang would take from every job."""


async def system_lookup(host: str, port: int) -> Found:
    ask = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    found = await asyncio.get_running_loop().run_in_executor(_threads, ask)
    return [(family, str(address[0])) for family, _, _, _, address in found]


class SharedLookup:
    """So that a name whose server does not answer holds one thread, however many calls want it."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._asking: dict[tuple[str, int], asyncio.Future[Found]] = {}
        """On their way; they may outlast who began them."""

    async def ask(self, host: str, port: int, *, seconds: float) -> Found:
        """Raises `TimeoutError`, and what the lookup raises."""
        async with asyncio.timeout(seconds):
            return await asyncio.shield(self._answer(host, port))

    def _answer(self, host: str, port: int) -> asyncio.Future[Found]:
        asking = self._asking.get((host, port))
        if asking is None:
            asking = self._asking[host, port] = asyncio.ensure_future(self._lookup(host, port))
            asking.add_done_callback(partial(self._answered, host, port))
        return asking

    def _answered(self, host: str, port: int, asking: asyncio.Future[Found]) -> None:
        del self._asking[host, port]
        if not asking.cancelled():
            asking.exception()  # looked at, also where nobody waits any more
