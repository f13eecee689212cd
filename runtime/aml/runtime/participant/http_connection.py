"""One HTTP/1.1 connection to a participant: one request at a time, under its deadlines and byte cap.

asyncio's transports carry the bytes, TLS included, and `response_reader` reads them. Between the two are one future and one
timer a request; an HTTP library's session, response and stream cost more than twice as much (ADR 24).
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
        self._reader: ResponseReader
        """From when there is a connection: those that never come to be leave no parser behind."""
        self._transport: asyncio.Transport | None = None
        self._limits = CallLimits()
        self._started = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._woken: asyncio.Future[None] | None = None
        """While somebody asks."""
        self._writable: asyncio.Future[None] | None = None
        """While the transport wants no more."""
        self._place: asyncio.Semaphore | None = None
        self._before: list[bytes] | None = []
        """What came before the first question, which is that one's answer: a banner, or a busy server's 503."""
        self._closed_in_order = False

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
            if self._before is not None or self._transport is None:
                self._hear_what_came_before()
            sent = await self._send(head, body)
            await self._woken
            while not reader.ended:
                await self._hold_place()
                await self._woken
            if not (sent and reader.reusable and self._is_flushed()):
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
        self._reader = ResponseReader()

    def data_received(self, data: bytes) -> None:
        if self._woken is None:
            self._keep_or_refuse(data)
            return
        self._reader.feed(data)
        if self._reader.ended:
            self._wake()
        elif self._reader.size > LARGE_RESPONSE_BYTES and self._place is None and self._transport is not None:
            self._transport.pause_reading()
            self._wake()

    def eof_received(self) -> None:
        """In order; over TLS, only where it was said (uvloop tells the difference). Who has finished speaking may have stopped
        listening, and so what is still to be sent is not waited for."""
        self._closed_in_order = True
        self._reader.end(None)
        self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        self._reader.end(exc or self._cut_off())
        self._wake()
        self.resume_writing()
        if not self._before:
            self._reader.free()

    def pause_writing(self) -> None:
        self._writable = asyncio.get_running_loop().create_future()

    def resume_writing(self) -> None:
        if self._writable is not None and not self._writable.done():
            self._writable.set_result(None)
        self._writable = None

    def _is_flushed(self) -> bool:
        """Nothing of the request waits any more: an answer that did not wait for it would be followed by another."""
        return self._transport is None or not self._transport.get_write_buffer_size()

    def _cut_off(self) -> Exception | None:
        return None if self._closed_in_order else ConnectionAbortedError()

    def _keep_or_refuse(self, data: bytes) -> None:
        """Of bytes that nobody asked for."""
        if self._before is None or self._transport is None:
            self.close()
        else:
            self._before.append(data)
            self._transport.pause_reading()

    def _hear_what_came_before(self) -> None:
        for data in self._before or ():
            self.data_received(data)
        self._before = None
        if self._transport is None:
            self._reader.end(self._cut_off())
            self._wake()
        else:
            self._transport.resume_reading()

    async def _send(self, head: bytes, body: bytes) -> bool:
        """False where an answer, or the end, came before all was said: the connection is of no use after that."""
        assert self._woken is not None
        if self._woken.done() or self._transport is None:
            return False
        if len(body) <= PIECE_BYTES:
            self._transport.write(head + body)
            return True
        self._transport.write(head)
        view = memoryview(body)
        for start in range(0, len(body), PIECE_BYTES):
            if self._writable is None:
                await asyncio.sleep(0)
            else:
                await asyncio.wait({self._writable, self._woken}, return_when=asyncio.FIRST_COMPLETED)
            if self._woken.done() or not self.usable:
                return False
            self._transport.write(view[start : start + PIECE_BYTES])
        return True

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
            seconds = min(self._limits.first_byte_seconds, self._limits.total_seconds)
            problem = f"the first byte did not come within {seconds:g} s"
        elif loop.time() < due:
            self._timer = loop.call_at(due, self._end_late)
            return
        else:
            problem = f"the response was not complete within {self._limits.total_seconds:g} s"
        self._reader.give_up(TransportFailed(problem, retryable=True))
        self._wake()
