"""Reads the stream in order from where the log stands, and notices when the stream is not the one that it was.

The reader's consumer is ephemeral and acknowledges nothing: where to go on is kept with the entries. The stream's sequence
is trusted only as a hint. When the message at the remembered place is another one, or is gone, the stream was restored or
emptied: it is read from its beginning, and the log's event ids drop what is known.
"""

import asyncio
import json
import secrets
from collections import deque
from collections.abc import Awaitable, Callable

import nats.js.errors
import structlog
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.js import api

from aml.rules.identity import STREAM
from aml.runtime.bus import TRANSIENT_BUS_ERRORS, Bus

from .append_batch import StreamMessage

log = structlog.get_logger()

_EXPIRES_SECONDS = 5.0
_NANOSECONDS = 1_000_000_000
_WINDOW_BATCHES = 4


class StreamReader:
    def __init__(
        self,
        bus: Bus,
        *,
        batch_events: int,
        gather_seconds: float,
        load_place: Callable[[], Awaitable[tuple[int, str]]],
        append: Callable[[list[StreamMessage]], Awaitable[None]],
        on_stream_lost: Callable[[], None],
    ) -> None:
        """`append` returns when the batch is durable, or raises to have the reader start again from `load_place`."""
        self._bus = bus
        self._batch_events = batch_events
        self._gather_seconds = gather_seconds
        self._load_place = load_place
        self._append = append
        self._on_stream_lost = on_stream_lost
        self._buffer: deque[StreamMessage] = deque()
        self._arrived = asyncio.Event()
        self._consumer = ""
        self._inbox = ""
        self._requested = 0
        self._asked_at = 0.0
        self._expected = 1
        self._broken: str | None = None

    async def run(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            subscription: Subscription | None = None
            try:
                subscription = await self._open()
                await self._read(stop)
            except TRANSIENT_BUS_ERRORS as error:
                log.warning("stream.interrupted", error=type(error).__name__)
                await asyncio.sleep(0.2)
            finally:
                if subscription is not None:
                    await self._close(subscription)

    async def _open(self) -> Subscription:
        await self._bus.ensure_stream()  # a broker that lost its disk has none, and only the log can fill it again
        start = await self._start_sequence()
        self._buffer.clear()
        self._requested, self._expected, self._broken = 0, 1, None
        self._consumer = f"ledger-{secrets.token_hex(6)}"
        self._inbox = self._bus.client.new_inbox()
        await self._bus.js.add_consumer(
            STREAM,
            api.ConsumerConfig(
                name=self._consumer,
                deliver_policy=api.DeliverPolicy.BY_START_SEQUENCE,
                opt_start_seq=start,
                ack_policy=api.AckPolicy.NONE,
                inactive_threshold=60.0,
                mem_storage=True,
                num_replicas=1,
            ),
        )
        return await self._bus.client.subscribe(self._inbox, cb=self._receive)

    async def _close(self, subscription: Subscription) -> None:
        try:
            await subscription.unsubscribe()
            await self._bus.js.delete_consumer(STREAM, self._consumer)
        except TRANSIENT_BUS_ERRORS:
            return  # the broker forgets an idle reader by itself

    async def _start_sequence(self) -> int:
        seq, subject = await self._load_place()
        if seq == 0:
            return 1
        try:
            message = await self._bus.js.get_msg(STREAM, seq, direct=True)
        except nats.js.errors.NotFoundError:
            found = None
        else:
            found = message.subject
        if found == subject:
            return seq + 1
        log.error("stream.lost", remembered=subject, found=found)
        self._on_stream_lost()
        return 1

    async def _read(self, stop: asyncio.Event) -> None:
        reconnects = self._bus.client.stats["reconnects"]
        while not stop.is_set():
            await self._ask()
            if not self._buffer:
                await self._wait(1.0)
            if not self._bus.connected:
                raise ConnectionError("the broker is away")
            if self._broken is not None or self._bus.client.stats["reconnects"] != reconnects:
                log.info("stream.reader_restarted", reason=self._broken or "reconnected")
                return
            if self._buffer:
                await self._gather()
                taken = min(len(self._buffer), self._batch_events)
                await self._append([self._buffer.popleft() for _ in range(taken)])
            elif self._requested and asyncio.get_running_loop().time() - self._asked_at > _EXPIRES_SECONDS + 2.0:
                return  # no word on the request: the broker has forgotten it

    async def _wait(self, seconds: float) -> None:
        self._arrived.clear()
        try:
            await asyncio.wait_for(self._arrived.wait(), seconds)
        except TimeoutError:
            return

    async def _gather(self) -> None:
        """A lone event waits a moment for company; under load the buffer is full and nothing waits."""
        deadline = asyncio.get_running_loop().time() + self._gather_seconds
        while len(self._buffer) < self._batch_events:
            left = deadline - asyncio.get_running_loop().time()
            if left <= 0:
                return
            await self._wait(left)

    async def _ask(self) -> None:
        window = _WINDOW_BATCHES * self._batch_events
        free = window - self._requested - len(self._buffer)
        if free < window // 2:
            return
        self._requested += free
        self._asked_at = asyncio.get_running_loop().time()
        request = {"batch": free, "expires": int(_EXPIRES_SECONDS * _NANOSECONDS)}
        await self._bus.client.publish(
            f"$JS.API.CONSUMER.MSG.NEXT.{STREAM}.{self._consumer}", json.dumps(request).encode(), self._inbox
        )

    async def _receive(self, message: Msg) -> None:
        if not message.reply:
            self._read_status(message)
            return
        seq, delivered = sequences(message.reply)
        if delivered != self._expected:
            self._broken = f"delivery {self._expected} was lost"
            self._arrived.set()
            return
        self._expected += 1
        self._requested = max(0, self._requested - 1)
        self._buffer.append(StreamMessage(seq, message.subject, message.data))
        if len(self._buffer) == 1 or len(self._buffer) >= self._batch_events:
            self._arrived.set()

    def _read_status(self, message: Msg) -> None:
        headers = message.headers or {}
        status = headers.get("Status")
        if status == "100":
            return
        if status in ("408", "404"):
            undelivered = headers.get("Nats-Pending-Messages")
            self._requested = max(0, self._requested - int(undelivered)) if undelivered else 0
        else:
            self._broken = headers.get("Description") or status or "unknown status"
        self._arrived.set()


def sequences(reply: str) -> tuple[int, int]:
    """The stream's and the consumer's sequence of a delivery, from its JetStream reply subject (either form)."""
    tokens = reply.split(".")
    at = 5 if len(tokens) == 9 else 7
    return int(tokens[at]), int(tokens[at + 1])
