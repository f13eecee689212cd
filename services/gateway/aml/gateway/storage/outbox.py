"""The transactional outbox: a row and its event are one transaction; the relay publishes what is committed, in order.

"In order" is by transaction, not by `seq > cursor`: a transaction that took its number early and committed late would be
skipped by a cursor. A row leaves only when its transaction lies below the snapshot's xmin, so nothing older can still appear.
Delivery is at least once and each fact lands once, because its subject is its natural key.
"""

import asyncio

import structlog

from aml.contracts.events import Event, decode_event, encode_event
from aml.gateway.metrics import OUTBOX_PUBLISHED
from aml.rules.identity import subject_of
from aml.runtime.bus import TRANSIENT_BUS_ERRORS, Bus
from aml.runtime.publish_once import ConflictingFact, publish_once

from .database import DATABASE_AWAY, Connection, Database
from .outbox_queries import add_event, load_waiting, mark_published, mark_refused

log = structlog.get_logger()

_BATCH = 200
_POLL_SECONDS = 0.2
_RETRY_SECONDS = 0.5


async def enqueue(connection: Connection, *events: Event) -> None:
    """Call inside the transaction that makes the events true."""
    for event in events:
        await add_event(connection, encode_event(event))


class OutboxRelay:
    """`wake` after a commit spares the poll's wait; rows of other replicas are found by polling."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus
        self._woken = asyncio.Event()

    def wake(self) -> None:
        self._woken.set()

    async def run(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            self._woken.clear()
            try:
                if await self.relay_batch() == _BATCH:
                    continue
            except (*DATABASE_AWAY, *TRANSIENT_BUS_ERRORS) as error:
                log.warning("outbox.deferred", error=type(error).__name__)
                await asyncio.sleep(_RETRY_SECONDS)
                continue
            try:
                await asyncio.wait_for(self._woken.wait(), _POLL_SECONDS)
            except TimeoutError:
                continue

    async def relay_batch(self) -> int:
        """Publishes what is waiting, at most a batch. Returns how many rows left."""
        async with self._database.read(unhurried=True) as connection:
            rows = await load_waiting(connection, _BATCH)
            left: list[int] = []
            try:
                for row in rows:
                    if (refused := await self._publish(decode_event(row.event))) is not None:
                        await mark_refused(connection, row.seq, refused)
                    left.append(row.seq)
                    OUTBOX_PUBLISHED.inc()
            finally:
                # One commit a batch. What left and was not marked, since the process was killed, leaves again as the same fact.
                await mark_published(connection, left)
        return len(rows)

    async def _publish(self, event: Event) -> str | None:
        try:
            await publish_once(self._bus, event)
        except ConflictingFact as error:
            # No retry mends it, and what stands in the stream is what counts: recorded, so that the rest can flow.
            log.error("outbox.refused", subject=subject_of(event), found=error.found)  # noqa: TRY400  no bug of ours to trace
            return str(error)
        return None
