"""A lean pull consumer: it keeps as many messages requested as there are free slots, and hands each to a callback.

nats-py's `fetch` waits for whole batches and costs a request a message; this asks for freed slots in small groups and
reads the broker's own word (408, 409) on what it will not deliver. `max_ack_pending` of the consumer, held by the broker
over all replicas, is the limit that counts; `slots` only bounds this process.
"""

import asyncio
import time
from collections.abc import Callable, Sequence

import nats.js.errors
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.js import api

from aml.rules.identity import STREAM

from .bus import TRANSIENT_BUS_ERRORS, Bus
from .inbox import subscribe

EXPIRES_SECONDS = 5.0
ACK_WAIT_SECONDS = 10.0
HANG_UP_SECONDS = 2.0
GATHER_SECONDS = 0.005
_NANOSECONDS = 1_000_000_000


class PullConsumer:
    """Messages of one durable consumer. `on_message` must call `release()` once for each message when it is done with it.

    `on_message` neither waits nor raises (`inbox`).
    """

    def __init__(
        self,
        bus: Bus,
        *,
        durable: str,
        filter_subjects: Sequence[str],
        slots: int,
        max_ack_pending: int,
        on_message: Callable[[Msg], None],
        ack_policy: api.AckPolicy = api.AckPolicy.EXPLICIT,
        ack_wait_seconds: float = ACK_WAIT_SECONDS,
    ) -> None:
        self._bus = bus
        self._slots = slots
        self._group = max(1, slots // 4)
        self._on_message = on_message
        self._config = api.ConsumerConfig(
            name=durable,
            durable_name=durable,
            filter_subjects=list(filter_subjects),
            ack_policy=ack_policy,
            ack_wait=ack_wait_seconds,
            max_ack_pending=max_ack_pending,
            deliver_policy=api.DeliverPolicy.ALL,
            max_waiting=512,
        )
        self._ask = f"$JS.API.CONSUMER.MSG.NEXT.{STREAM}.{durable}"
        self._busy = 0
        self._requested = 0
        self._asked_at = 0.0
        self._gone = False
        self._wake = asyncio.Event()
        self._subscription: Subscription | None = None
        self._inbox = ""

    async def consume(self, stop: asyncio.Event) -> None:
        """Until `stop`: asks for messages. Survives the broker's restarts and a consumer that was deleted under it."""
        while not stop.is_set():
            try:
                await self._bus.js.add_consumer(STREAM, self._config)
                await self._listen()
                await self._keep_asking(stop)
                if self._gone:
                    await _pause(stop, 0.2)
            except TRANSIENT_BUS_ERRORS:
                await _pause(stop, 0.2)
            finally:
                await self._hang_up()

    def release(self) -> None:
        self._busy -= 1
        if self._worth_asking():
            self._wake.set()

    async def _listen(self) -> None:
        self._inbox = self._bus.client.new_inbox()
        self._requested = 0
        self._gone = False
        self._subscription = await subscribe(self._bus.client, self._inbox, self._receive)

    async def _hang_up(self) -> None:
        """Takes what is on its way before it leaves: a message to a closed inbox would come again only after the ack wait."""
        subscription, self._subscription = self._subscription, None
        if subscription is None:
            return
        try:
            if self._bus.connected:
                await asyncio.wait_for(subscription.drain(), HANG_UP_SECONDS)  # type: ignore[no-untyped-call]
            else:
                await subscription.unsubscribe()
        except TRANSIENT_BUS_ERRORS:
            return  # the connection is gone, and the subscription with it

    async def _keep_asking(self, stop: asyncio.Event) -> None:
        others = [asyncio.create_task(each) for each in (self._wake_at(stop), self._wake_each_second())]
        try:
            while True:
                if 0 < self._free < self._group and not self._requested:
                    # The other slots may be busy for half an hour, or be free in a moment.
                    await asyncio.sleep(GATHER_SECONDS)
                self._wake.clear()
                if stop.is_set() or self._gone:
                    return
                await self._ask_for_free_slots()
                await self._wake.wait()
                if self._requested and time.monotonic() - self._asked_at > EXPIRES_SECONDS + 2.0:
                    # The broker restarted and forgot the request, or the consumer is gone: start over.
                    return
        finally:
            for task in others:
                task.cancel()

    async def _wake_at(self, stop: asyncio.Event) -> None:
        await stop.wait()
        self._wake.set()

    async def _wake_each_second(self) -> None:
        """To see whether the broker has forgotten the request."""
        while True:
            await asyncio.sleep(1.0)
            self._wake.set()

    @property
    def _free(self) -> int:
        return self._slots - self._busy - self._requested

    def _worth_asking(self) -> bool:
        """For a fourth of the slots at a time, since a request costs as much as a message; for fewer where none is on its way."""
        return self._free >= self._group or (self._free > 0 and not self._requested)

    async def _ask_for_free_slots(self) -> None:
        if not self._worth_asking():
            return
        free = self._free
        self._requested += free
        self._asked_at = time.monotonic()
        request = b'{"batch":%d,"expires":%d}' % (free, EXPIRES_SECONDS * _NANOSECONDS)
        await self._bus.client.publish(self._ask, request, self._inbox)

    def _receive(self, message: Msg) -> None:
        if not message.reply:
            self._read_status(message)
            return
        self._requested = max(0, self._requested - 1)
        self._busy += 1
        self._on_message(message)

    def _read_status(self, message: Msg) -> None:
        """408: the request expired; 409: something changed. The header says how many messages will not come.

        503 or a deleted consumer: nobody answers any more, and the consumer has to be made again.
        """
        headers = message.headers or {}
        status = headers.get("Status")
        if status == "100":
            return
        if status in ("404", "503") or "Consumer Deleted" in headers.get("Description", ""):
            self._gone = True
        undelivered = headers.get("Nats-Pending-Messages")
        self._requested = max(0, self._requested - int(undelivered)) if undelivered else 0
        self._wake.set()


async def delete_consumer(bus: Bus, durable: str) -> None:
    """Idempotent."""
    try:
        await bus.js.delete_consumer(STREAM, durable)
    except nats.js.errors.NotFoundError:
        return


async def _pause(until: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await until.wait()
    except TimeoutError:
        return
