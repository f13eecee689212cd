"""One reader for all progress streams of this process: it asks for every watched job at once and wakes who watches it.

A stream is given the newest snapshot and nothing in between: each tells all that the ones before it told. A snapshot is encoded
once, however many watch. Its id is a digest of what it says, so that it is the same on every replica and after a restart.
"""

import asyncio
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final

import msgspec
import structlog
from msgspec import Struct
from msgspec.structs import astuple, replace

from aml.gateway.storage.database import DATABASE_AWAY, Database

from .job_queries import JobRow, load_watched_jobs
from .job_view import CALM, job_view
from .platform_pulse import PlatformPulse
from .stall import Pulse, seems_stalled
from .views import Job, Stall

log = structlog.get_logger()

TICK_SECONDS: Final = 0.5
_BATCH: Final = 200
"""Jobs in one query; between two of them other requests are answered."""


class Snapshot(Struct, frozen=True, kw_only=True):
    id: str
    frame: bytes
    """As it is sent."""
    ended: bool


class Watched:
    """A job that somebody watches."""

    def __init__(self, job_id: str) -> None:
        self.job_id = job_id
        self.newest: Snapshot | None = None
        self.watchers = 0
        self._told: tuple[Any, ...] | None = None
        self._as_of: datetime | None = None
        self._job: Job | None = None
        self._waiting: set[asyncio.Future[None]] = set()

    def next_change(self) -> asyncio.Future[None]:
        """Done when there is another snapshot, or when the process stops."""
        change: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(change)
        change.add_done_callback(self._waiting.discard)
        return change

    def take(self, row: JobRow, pulse: Pulse) -> None:
        """A row that was read before the last one tells nothing new."""
        if self._as_of is not None and row.now < self._as_of:
            return
        self._as_of = row.now
        told = (*astuple(row)[:-1], seems_stalled(row), pulse)  # all but `now`
        if told == self._told:
            return
        self._told = told
        self._job = job_view(row, pulse)
        self.show(snapshot_of(self._job))

    def take_nothing(self) -> None:
        """The database does not answer."""
        self._told = None
        if self._job is not None:
            self.show(away_snapshot(self._job))

    def show(self, snapshot: Snapshot) -> None:
        if self.newest is not None and snapshot.id == self.newest.id:
            return
        self.newest = snapshot
        self.wake()

    def wake(self) -> None:
        for change in self._waiting:
            if not change.done():
                change.set_result(None)


class ProgressHub:
    def __init__(self, database: Database, pulse: PlatformPulse, stopping: asyncio.Event) -> None:
        self._database = database
        self._pulse = pulse
        self._stopping = stopping
        self._watched: dict[str, Watched] = {}
        self._felt = CALM
        self._reading: asyncio.Task[None] | None = None

    @contextmanager
    def watch(self, row: JobRow) -> Iterator[Watched]:
        """`row` is the job as it was just read."""
        watched = self._watched.setdefault(row.job_id, Watched(row.job_id))
        watched.watchers += 1
        watched.take(row, self._felt if seems_stalled(row) else CALM)
        if self._reading is None or self._reading.done():
            self._reading = asyncio.create_task(self._read())
        try:
            yield watched
        finally:
            watched.watchers -= 1
            if watched.watchers == 0:
                del self._watched[row.job_id]

    async def _read(self) -> None:
        """As long as anybody watches."""
        while self._watched and not await self._stops_within(TICK_SECONDS):
            try:
                await self._tick()
            except DATABASE_AWAY as error:
                log.warning("progress.deferred", error=type(error).__name__, jobs=len(self._watched))
                for watched in tuple(self._watched.values()):
                    watched.take_nothing()
        for watched in self._watched.values():
            watched.wake()

    async def _stops_within(self, seconds: float) -> bool:
        try:
            await asyncio.wait_for(self._stopping.wait(), seconds)
        except TimeoutError:
            return False
        return True

    async def _tick(self) -> None:
        jobs = list(self._watched)
        for start in range(0, len(jobs), _BATCH):
            async with self._database.read() as connection:
                rows = await load_watched_jobs(connection, jobs[start : start + _BATCH])
            if any(map(seems_stalled, rows)):
                self._felt = await self._pulse.feel()
            for row in rows:
                if (watched := self._watched.get(row.job_id)) is not None:
                    watched.take(row, self._felt if seems_stalled(row) else CALM)


def snapshot_of(job: Job) -> Snapshot:
    """What runs with the clock alone makes no new snapshot."""
    steady = replace(
        job,
        heartbeat_age_seconds=None,
        rate_per_second=None,
        eta_seconds=None,
        stalled=replace(job.stalled, since_seconds=0.0, why="") if job.stalled else None,
    )
    name = hashlib.blake2b(msgspec.json.encode(steady), digest_size=8).hexdigest()
    return Snapshot(id=name, frame=_frame(job, name), ended=job.stage == "ended")


def away_snapshot(job: Job) -> Snapshot:
    """The last that is known, without an id: a client that comes back is told what really is."""
    why = "what is shown here is old: the platform's database is not reachable"
    stall = Stall(since_seconds=0.0, stage=job.stage, reason="database_away", why=why)
    return Snapshot(id="", frame=_frame(replace(job, stalled=stall), None), ended=False)


def _frame(job: Job, name: str | None) -> bytes:
    head = b"" if name is None else b"id: " + name.encode() + b"\r\n"
    return head + b"event: progress\r\ndata: " + msgspec.json.encode(job) + b"\r\n\r\n"
