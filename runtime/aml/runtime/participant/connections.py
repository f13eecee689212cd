"""A participant's connections, kept open between calls. How many there are at once is how many calls the turnstiles let in."""

import asyncio
from collections import defaultdict
from typing import Final

from .guarded_dial import GuardedDial
from .http_connection import HttpConnection
from .origin import Origin

LARGE_BODIES_AT_ONCE: Final = 8
KEEPALIVE_SECONDS: Final = 4.0
"""Shorter than the 5 s after which common servers close an idle connection: a request never races that close."""


class Connections:
    """One per client. Opens nothing until the first call."""

    def __init__(self, dial: GuardedDial) -> None:
        self._dial = dial
        self._large_bodies = asyncio.Semaphore(LARGE_BODIES_AT_ONCE)
        self._idle: defaultdict[Origin, list[tuple[float, HttpConnection]]] = defaultdict(list)
        """With the loop's time since when; the latest last."""
        self._sweep: asyncio.TimerHandle | None = None
        self._closed = False

    def kept(self, origin: Origin) -> HttpConnection | None:
        """The one that was used last, to be given back after the call."""
        oldest = asyncio.get_running_loop().time() - KEEPALIVE_SECONDS
        idle = self._idle[origin]
        while idle:
            since, connection = idle.pop()
            if connection.usable and since >= oldest:
                return connection
            connection.close()
        return None

    async def open(self, origin: Origin, *, seconds: float) -> HttpConnection:
        """A new one. Raises `ParticipantError`."""
        connection = HttpConnection(self._large_bodies)
        try:
            await self._dial.connect(origin, connection, seconds=seconds)
        except BaseException:
            connection.close()  # asyncio waits half a minute for the other side to say its end of TLS
            raise
        return connection

    def give_back(self, origin: Origin, connection: HttpConnection) -> None:
        if self._closed or not connection.usable:
            connection.close()
            return
        loop = asyncio.get_running_loop()
        self._idle[origin].append((loop.time(), connection))
        if self._sweep is None:
            self._sweep = loop.call_later(KEEPALIVE_SECONDS, self._close_idle)

    def close(self) -> None:
        """Also those that are still asked, once they are given back."""
        self._closed = True
        if self._sweep is not None:
            self._sweep.cancel()
        for idle in self._idle.values():
            for _, connection in idle:
                connection.close()
        self._idle.clear()

    def _close_idle(self) -> None:
        loop = asyncio.get_running_loop()
        oldest = loop.time() - KEEPALIVE_SECONDS
        for origin, idle in list(self._idle.items()):
            for since, connection in idle:
                if since < oldest:
                    connection.close()
            kept = [(since, connection) for since, connection in idle if since >= oldest and connection.usable]
            if kept:
                self._idle[origin] = kept
            else:
                del self._idle[origin]
        self._sweep = loop.call_later(KEEPALIVE_SECONDS, self._close_idle) if self._idle else None
