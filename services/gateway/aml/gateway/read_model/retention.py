"""The retention worker: the leading gateway destroys the evidence of jobs that have been over for `AML_RETENTION_DAYS`.

What is destroyed twice, here and by `aml evidence`, is destroyed once and stated once.
"""

import asyncio
from collections.abc import Awaitable, Callable

import structlog
from obstore.store import ObjectStore

from aml.contracts.shredding import EvidenceShredded
from aml.gateway.storage.database import DATABASE_AWAY, Database
from aml.rules.retention import due_for_shredding
from aml.runtime.bus import TRANSIENT_BUS_ERRORS, Bus
from aml.runtime.clock import Clock
from aml.runtime.evidence import EvidenceUnavailable
from aml.runtime.evidence_shredding import shred

from .retention_queries import load_held_evidence

log = structlog.get_logger()

EVERY_SECONDS = 3600.0

Shred = Callable[[EvidenceShredded], Awaitable[int]]


class Retention:
    """`days=0` keeps evidence for ever."""

    def __init__(self, database: Database, clock: Clock, shred_job: Shred, *, days: int) -> None:
        self._database = database
        self._clock = clock
        self._shred = shred_job
        self._days = days

    async def run(self, until: asyncio.Event, *, every_seconds: float = EVERY_SECONDS) -> None:
        while self._days > 0 and not until.is_set():
            try:
                await self.enforce(until)
            except (*DATABASE_AWAY, *TRANSIENT_BUS_ERRORS, EvidenceUnavailable) as error:
                log.warning("retention.deferred", error=type(error).__name__)
            await _pause(until, every_seconds)

    async def enforce(self, until: asyncio.Event) -> int:
        """How many jobs' evidence is gone now that was there before."""
        async with self._database.read() as connection:
            held = await load_held_evidence(connection)
        now = self._clock.now_ms()
        ended = {each.job_id: int(each.ended_at.timestamp() * 1000) for each in held}
        done = 0
        for job_id in due_for_shredding(ended, (), now_ms=now, days=self._days):
            if until.is_set():
                break
            objects = await self._shred(EvidenceShredded(at=now, job_id=job_id, reason="retention"))
            log.info("evidence.shredded", job_id=job_id, objects=objects, days=self._days)
            done += 1
        return done


def shredder(store: ObjectStore, bus: Bus) -> Shred:
    async def shred_job(shredded: EvidenceShredded) -> int:
        return await shred(store, bus, shredded)

    return shred_job


async def _pause(until: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(until.wait(), seconds)
    except TimeoutError:
        return
