"""One HTTP/1.1 connection to a participant: one request at a time, under its deadlines and byte cap.

asyncio's transports carry the bytes, TLS included, and `response_reader` reads them. Between the two are one future and one
timer a request; an HTTP library's session, response and stream cost three times as much (ADR 24).
"""

import asyncio
from typing import Any, Final, cast

from aml.contracts.participant import CallLimits

from .errors import TransportFailed
from .reply import Reply
from .response_reader import ResponseReader

PIECE_BYTES: Final = 1 << 18
"""A longer request is sent in pieces of this, so that other calls move between them and an early answer is heard."""
LARGE_RESPONSE_BYTES: Final = 1 << 20
"""A body above this holds one of the client's few places for large bodies until it has been read and judged, so that 256
calls at once never hold 256 bodies of 30 MiB. Who waits for a place leaves the rest to TCP's window."""


class HttpConnection(asyncio.Protocol):
    """After a failure, a cancellation or an answer that ends the connection it is not `usable` any more."""

    def __init__(self, large_bodies: asyncio.Semaphore) -> None:
        self._large_bodies = large_bodies
        self._reader = ResponseReader()
        self._transport: asyncio.Transport | None = None
        self._limits = CallLimits()
        self._started = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._woken: asyncio.Future[None] | None = None
        """While somebody asks."""
        self._writable: asyncio.Future[None] | None = None
        """While the transport wants no more."""
        self._place: asyncio.Semaphore | None = None

    @property
    def usable(self) -> bool:
        return self._transport is not None and not self._transport.is_closing()

    async def ask(self, head: bytes, body: bytes, *, limits: CallLimits, started: float) -> Reply:
        """The deadlines count from `started` of the loop's clock. Raises `ParticipantError`."""
        loop, reader = asyncio.get_running_loop(), self._reader
        self._limits, self._started = limits, started
        reader.expect(limits.max_response_bytes)
        self._woken = loop.create_future()
        self._timer = loop.call_at(started + min(limits.first_byte_seconds, limits.total_seconds), self._end_late)
        try:
            if len(body) <= PIECE_BYTES:
                self._write(head + body)
            else:
                await self._write_in_pieces(head, body)
            await self._woken
            while not reader.ended:
                await self._hold_place()
                await self._woken
            if not reader.reusable:
                self.close()
            return reader.take(self._place)
        except BaseException:
            self.close()
            if self._place is not None:
                self._place.release()
            raise
        finally:
            self._timer.cancel()
            self._woken = self._place = None

    def close(self) -> None:
        """At once: what is on its way is lost."""
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's are none by class

    def data_received(self, data: bytes) -> None:
        if self._woken is None:
            self.close()  # nobody asked
            return
        self._reader.feed(data)
        if self._reader.ended:
            self._wake()
        elif self._reader.size > LARGE_RESPONSE_BYTES and self._place is None and self._transport is not None:
            self._transport.pause_reading()
            self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        self._reader.end(exc)
        self._wake()
        self.resume_writing()

    def pause_writing(self) -> None:
        self._writable = asyncio.get_running_loop().create_future()

    def resume_writing(self) -> None:
        if self._writable is not None and not self._writable.done():
            self._writable.set_result(None)
        self._writable = None

    def _write(self, data: bytes | memoryview) -> None:
        if self._transport is None:
            self._reader.end(None)
            self._wake()
        else:
            self._transport.write(data)

    async def _write_in_pieces(self, head: bytes, body: bytes) -> None:
        """Up to the end, or to an answer that came before it."""
        assert self._woken is not None
        self._write(head)
        view = memoryview(body)
        for start in range(0, len(body), PIECE_BYTES):
            if self._writable is not None:
                await asyncio.wait({self._writable, self._woken}, return_when=asyncio.FIRST_COMPLETED)
            if self._woken.done():
                self._reader.reusable = False
                return
            self._write(view[start : start + PIECE_BYTES])

    async def _hold_place(self) -> None:
        """Of a large body, whose rest is then read. Returns early where its connection or its time ends."""
        self._woken = asyncio.get_running_loop().create_future()
        turn = asyncio.ensure_future(self._large_bodies.acquire())
        first: set[asyncio.Future[Any]] = {turn, self._woken}
        try:
            await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if turn.done():
                self._place = self._large_bodies
            else:
                turn.cancel()
        if self._transport is not None:
            self._transport.resume_reading()

    def _wake(self) -> None:
        if self._woken is not None and not self._woken.done():
            self._woken.set_result(None)

    def _end_late(self) -> None:
        """At the first deadline, which is the last one where the head has not come or there is but one."""
        loop, due = asyncio.get_running_loop(), self._started + self._limits.total_seconds
        if self._reader.status is None:
            problem = f"the first byte did not come within {self._limits.first_byte_seconds:g} s"
        elif loop.time() < due:
            self._timer = loop.call_at(due, self._end_late)
            return
        else:
            problem = f"the response was not complete within {self._limits.total_seconds:g} s"
        self._reader.give_up(TransportFailed(problem, retryable=True))
        self._wake()
