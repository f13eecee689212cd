"""Seals jobs that are over and takes them through the gate, in the order of their seals.

What is to be done is read from the log each time, so a crash at any point is made good by the next pass; the stream keeps
a second seal or decision out.
"""

import asyncio
from dataclasses import dataclass, field

import structlog

from aml.contracts.events import encode_event
from aml.contracts.seals import GatePassed, GateRefused
from aml.rules.gate import BundleIncomplete
from aml.rules.identity import job_subject
from aml.runtime.bus import TRANSIENT_BUS_ERRORS, Bus
from aml.runtime.clock import Clock
from aml.runtime.publish_once import Published, publish_once

from . import queries
from .append_batch import MAX_EVENT_BYTES
from .database import DATABASE_AWAY, Pool
from .gatekeeper import ReleaseOf, load_decision
from .seal_job import decide_seal

log = structlog.get_logger()

PASS_SECONDS = 15.0
_RETRY_SECONDS = 0.5


@dataclass
class JobCloser:
    bus: Bus
    pool: Pool
    clock: Clock
    release_of: ReleaseOf
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _undecidable: set[str] = field(default_factory=set)

    def wake(self) -> None:
        self._wake.set()

    async def run(self, stop: asyncio.Event) -> None:
        """A pass at the start, one after each `wake`, and one now and then."""
        while not stop.is_set():
            self._wake.clear()
            wait = PASS_SECONDS
            try:
                await self.close_all()
            except (*TRANSIENT_BUS_ERRORS, *DATABASE_AWAY) as error:
                log.warning("jobs.closing_deferred", error=type(error).__name__)
                wait = _RETRY_SECONDS
            try:
                await asyncio.wait_for(self._wake.wait(), wait)
            except TimeoutError:
                continue

    async def close_all(self) -> None:
        await self._seal_finished()
        await self._decide_next()

    async def _seal_finished(self) -> None:
        async with self.pool.connection() as connection:
            jobs = await queries.load_closable_jobs(connection)
        for job_id, head in jobs:
            sealed = decide_seal(job_id, head, self.clock.now_ms())
            if sealed is not None and await publish_once(self.bus, sealed) is Published.NEW:
                log.info("job.sealed", job_id=job_id, state=sealed.state, entries=sealed.entries)

    async def _decide_next(self) -> None:
        """Only the earliest: the next decision must see this one in the log (a version passes once)."""
        async with self.pool.connection() as connection:
            waiting = [each for each in await queries.load_sealed_jobs(connection) if each[0] not in self._undecidable]
            if not waiting:
                return
            job_id, sealed_idx = waiting[0]
            if await self._already_decided(job_id):
                return
            try:
                decision = await load_decision(connection, job_id, sealed_idx, self.release_of, self.clock.now_ms())
            except DATABASE_AWAY:
                raise
            except BundleIncomplete as error:
                log.error("gate.undecidable", job_id=job_id, missing=error.missing)  # noqa: TRY400  a known state
                self._set_aside(job_id)
                return
            except Exception:  # the consumer loop: one job that breaks the gate must not keep the others from it
                log.exception("gate.failed", job_id=job_id)
                self._set_aside(job_id)
                return
        if (size := len(encode_event(decision))) > MAX_EVENT_BYTES:
            log.error("gate.decision_too_long", job_id=job_id, bytes=size, limit=MAX_EVENT_BYTES)
            self._set_aside(job_id)
            return
        await publish_once(self.bus, decision)
        refused = [check.code for check in decision.checks if not check.passed]
        log.info("gate.decided", job_id=job_id, passed=isinstance(decision, GatePassed), refused=refused)

    def _set_aside(self, job_id: str) -> None:
        """Until this process starts again."""
        self._undecidable.add(job_id)
        self.wake()

    async def _already_decided(self, job_id: str) -> bool:
        """The stream may hold a decision that the log does not have yet; passing and refusing have different subjects."""
        for kind in (GatePassed, GateRefused):
            if await self.bus.last_event(job_subject(job_id, kind)) is not None:
                return True
        return False
