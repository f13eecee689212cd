"""Folds the stream into rows for reading: a durable consumer, up to 500 events a transaction, acknowledged after commit."""

import asyncio
from collections.abc import Sequence

import msgspec
import psycopg
import structlog
from nats.aio.msg import Msg

from aml.contracts.events import Event
from aml.gateway.metrics import PROJECTED, PROJECTION_WAITING
from aml.gateway.storage.database import DATABASE_AWAY, Database
from aml.rules.identity import EVERYTHING, subject_of
from aml.rules.upcast import UnknownEventVersion, read_event
from aml.runtime.bus import TRANSIENT_BUS_ERRORS, Bus
from aml.runtime.pull import PullConsumer

from .fold import fold
from .projection_queries import apply_fold

log = structlog.get_logger()

BATCH = 500
IN_FLIGHT = 2 * BATCH
GATHER_SECONDS = 0.05
"""How long an unfilled batch waits for more: what a reader may be behind."""
RETRY_SECONDS = 0.5
ACK_WAIT_SECONDS = 10.0
"""What a killed process held comes again after this. So does what waits for a database that is away, and changes nothing."""


class Projection:
    def __init__(
        self, bus: Bus, database: Database, *, installation_id: str, halted: dict[str, str] | None = None
    ) -> None:
        """The consumer bears the database's id, so that a new database is filled from the stream's beginning.

        `halted` is told, as `projection`, why folding stopped before its time.
        """
        self._halted = {} if halted is None else halted
        self._database = database
        self._bus = bus
        self._waiting: list[Msg] = []
        self._arrived = asyncio.Event()
        self._consumer = PullConsumer(
            bus,
            durable=f"gateway-{installation_id}",
            filter_subjects=[EVERYTHING],
            slots=IN_FLIGHT,
            max_ack_pending=IN_FLIGHT,
            on_message=self._collect,
            ack_wait_seconds=ACK_WAIT_SECONDS,
        )

    async def run(self, stop: asyncio.Event) -> None:
        """Ends at `stop`. An event of an unknown version ends folding at once: to fold on would be to leave it out."""
        halt = asyncio.Event()
        consuming = asyncio.create_task(self._consumer.consume(halt))
        self._halted.pop("projection", None)
        try:
            while not stop.is_set():
                await self._wait_for_messages()
                if self._waiting:
                    await self._take_batch(stop)
        except UnknownEventVersion as error:
            log.error("projection.stopped", problem=str(error))  # noqa: TRY400  the trace would say nothing more
            self._halted["projection"] = f"stopped: {error}"
        finally:
            halt.set()
            await consuming
            await self._give_back(self._waiting)
            self._waiting = []
        await stop.wait()

    def _collect(self, message: Msg) -> None:
        self._waiting.append(message)
        self._arrived.set()

    async def _wait_for_messages(self) -> None:
        self._arrived.clear()
        if not self._waiting:
            try:
                await asyncio.wait_for(self._arrived.wait(), 0.5)
            except TimeoutError:
                return
        if len(self._waiting) < BATCH:
            await asyncio.sleep(GATHER_SECONDS)

    async def _take_batch(self, stop: asyncio.Event) -> None:
        events = decode_known(self._waiting[:BATCH])
        batch, self._waiting = self._waiting[:BATCH], self._waiting[BATCH:]
        while not stop.is_set():
            try:
                await self._store(events)
            except DATABASE_AWAY as error:
                log.warning("projection.deferred", error=type(error).__name__)
                await asyncio.sleep(RETRY_SECONDS)
                continue
            await self._acknowledge(batch)
            PROJECTED.inc(len(batch))
            PROJECTION_WAITING.set(len(self._waiting))
            break
        else:
            await self._give_back(batch)
        for _ in batch:
            self._consumer.release()

    async def _store(self, events: Sequence[Event]) -> None:
        """One transaction; where the database rejects a value, each event by itself, so that one cannot stop the rest."""
        try:
            await self._apply(events)
        except DATABASE_AWAY:
            raise
        except psycopg.Error as error:
            if len(events) == 1:
                log.warning("projection.skipped", subject=subject_of(events[0]), error=type(error).__name__)
                return
            for event in events:
                await self._store([event])

    async def _apply(self, events: Sequence[Event]) -> None:
        async with self._database.transaction() as connection:
            await apply_fold(connection, fold(events))

    async def _acknowledge(self, batch: Sequence[Msg]) -> None:
        await self._answer(batch, b"+ACK")

    async def _give_back(self, batch: Sequence[Msg]) -> None:
        """Whoever leads next gets them at once, instead of after `ACK_WAIT_SECONDS`."""
        await self._answer(batch, b"-NAK")

    async def _answer(self, batch: Sequence[Msg], word: bytes) -> None:
        publish = self._bus.client.publish  # `Msg.ack` parses the reply subject again for each message
        try:
            for message in batch:
                await publish(message.reply, word)
        except TRANSIENT_BUS_ERRORS:
            return  # delivered again, and then inserted no second time


def decode_known(batch: Sequence[Msg]) -> list[Event]:
    """A message that is no event of any version is left to the ledger, which parks it; reading goes on.

    Raises `UnknownEventVersion` for an event of a version that this code does not know.
    """
    events = []
    for message in batch:
        try:
            events.append(read_event(message.data))
        except (msgspec.ValidationError, msgspec.DecodeError) as error:
            log.warning("projection.unreadable", subject=message.subject, error=str(error)[:200])
    return events
