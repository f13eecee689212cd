"""A lane for each running job, so that a participant's declared concurrency is that job's consumer's `max_ack_pending`."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import structlog

from aml.contracts.envelope import UnitFact

from .bus import TRANSIENT_BUS_ERRORS, Bus
from .lane import Lane
from .open_jobs import OpenJob
from .pull import delete_consumer

log = structlog.get_logger()

E = TypeVar("E", bound=UnitFact)

_AGAIN_SECONDS = 1.0


@dataclass
class JobLanes(Generic[E]):
    bus: Bus
    lane_of: Callable[[OpenJob, str], Lane[E]]
    """A job and its consumer's name to its lane."""
    prefix: str
    _running: dict[str, tuple[asyncio.Event, asyncio.Task[None]]] = field(default_factory=dict)
    _closing: set[asyncio.Task[None]] = field(default_factory=set)
    _stopped: bool = False

    def start(self, job: OpenJob) -> None:
        job_id = job.requested.job_id
        if self._stopped or job_id in self._running:
            return
        stop = asyncio.Event()
        lane = self.lane_of(job, self._durable(job_id))
        self._running[job_id] = (stop, asyncio.create_task(_keep_running(lane, job_id, stop)))

    def end(self, job_id: str) -> None:
        """The job is over: its consumer is deleted once the units in flight are done."""
        if (running := self._running.pop(job_id, None)) is not None:
            running[0].set()
            task = asyncio.create_task(self._dismantle(job_id, running[1]))
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)

    async def stop_all(self) -> None:
        """This process ends, the jobs go on: consumers stay for the other replicas and for the restart. A job
        that is planned from now on is theirs, too.
        """
        self._stopped = True
        for stop, _ in self._running.values():
            stop.set()
        await asyncio.gather(*(task for _, task in self._running.values()), *self._closing, return_exceptions=True)

    async def _dismantle(self, job_id: str, task: asyncio.Task[None]) -> None:
        await asyncio.wait({task})
        try:
            await delete_consumer(self.bus, self._durable(job_id))
        except TRANSIENT_BUS_ERRORS as error:
            log.warning("lane.consumer_left", job_id=job_id, error=type(error).__name__)

    def _durable(self, job_id: str) -> str:
        return f"{self.prefix}-{job_id}"


async def _keep_running(lane: Lane[E], job_id: str, stop: asyncio.Event) -> None:
    while not stop.is_set():
        try:
            await lane.run(stop)
        except Exception:  # the consumer loop: a lane that died unseen would leave its job standing still
            log.exception("lane.failed", job_id=job_id)
            await asyncio.sleep(_AGAIN_SECONDS)
