"""Makes good what the stream lost: missing units are asked for again, and an emptied stream is filled again."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import nats.js.errors
import structlog

from aml.contracts.units import UnitRequeued
from aml.rules.entry import read_entry
from aml.rules.identity import STREAM, job_subject
from aml.runtime.bus import TRANSIENT_BUS_ERRORS, Bus
from aml.runtime.clock import Clock
from aml.runtime.publish_once import publish_once

from . import queries, replay_queries
from .database import DATABASE_AWAY, Pool
from .requeue_missing import decide_stall_requeues

log = structlog.get_logger()

_MAX_PATIENCE_FACTOR = 32


@dataclass
class Reconciler:
    bus: Bus
    pool: Pool
    clock: Clock
    stall_seconds: float
    _stream_lost: bool = False
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _patience: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Job to (factor of `stall_seconds` to wait, Unix ms of the last requeue)."""

    def stream_lost(self) -> None:
        self._stream_lost = True
        self._wake.set()

    def wake(self) -> None:
        self._wake.set()

    async def run(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            self._wake.clear()
            try:
                if self._stream_lost:
                    await self.republish()
                    self._stream_lost = False
                await self.requeue_stalled()
            except (*TRANSIENT_BUS_ERRORS, *DATABASE_AWAY) as error:
                log.warning("reconcile.deferred", error=type(error).__name__)
            try:
                await asyncio.wait_for(self._wake.wait(), min(5.0, self.stall_seconds / 4))
            except TimeoutError:
                continue

    async def republish(self) -> None:
        """Under their own ids, in their own order. What the stream still has, it refuses.

        Of jobs that are over only what concerns no single unit: who reads the stream from its beginning needs no more.
        """
        async with self.pool.connection() as connection:
            async for body in replay_queries.stream_frame_bodies(connection):
                await publish_once(self.bus, read_entry(body).event)
            for job_id in await replay_queries.load_open_jobs(connection):
                count = 0
                async for body in queries.stream_job_bodies(connection, job_id):
                    await publish_once(self.bus, read_entry(body).event)
                    count += 1
                log.warning("stream.job_republished", job_id=job_id, events=count)

    async def requeue_stalled(self) -> None:
        now_ms = self.clock.now_ms()
        async with self.pool.connection() as connection:
            stalled = await queries.load_stalled_jobs(connection, now_ms - int(self.stall_seconds * 1000))
        self._patience = {job_id: self._patience[job_id] for job_id in stalled if job_id in self._patience}
        for job_id in stalled:
            if self._is_due(job_id, now_ms) and not await self._is_under_way(job_id):
                await self._requeue(job_id, now_ms)

    def _is_due(self, job_id: str, now_ms: int) -> bool:
        factor, last_ms = self._patience.get(job_id, (1, 0))
        return now_ms - last_ms >= factor * self.stall_seconds * 1000

    async def _requeue(self, job_id: str, now_ms: int) -> None:
        async with self.pool.connection() as connection:
            bodies = await queries.load_job_bodies(connection, job_id)
        requeues = decide_stall_requeues((read_entry(body).event for body in bodies), now_ms)
        for each in requeues:
            await publish_once(self.bus, each)
        factor, _ = self._patience.get(job_id, (1, 0))
        self._patience[job_id] = (min(factor * 2, _MAX_PATIENCE_FACTOR), now_ms)
        log.warning("job.stalled", job_id=job_id, requeued=len(requeues))

    async def _is_under_way(self, job_id: str) -> bool:
        """A lane holds or awaits messages that may be this job's: a call may take half an hour."""
        try:
            consumers = await self.bus.js.consumers_info(STREAM)
        except nats.js.errors.NotFoundError:
            return False
        return any(
            (consumer.num_ack_pending or consumer.num_pending)
            and is_lane_of(job_id, consumer.config.filter_subjects or ())
            for consumer in consumers
        )


def is_lane_of(job_id: str, filter_subjects: Sequence[str]) -> bool:
    """Lanes are the consumers that also read requeues, of this job or of all."""
    return any(job_subject(each, UnitRequeued, "*") in filter_subjects for each in (job_id, "*"))
