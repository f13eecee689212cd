"""Which jobs are open, with what was requested and planned for each: the workers' view of the stream."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from aml.contracts.envelope import JobFact
from aml.contracts.events import Event
from aml.contracts.jobs import JobCancelled, JobFailed, JobPlanned, JobRequested
from aml.contracts.seals import JobSealed
from aml.rules.identity import job_subject

from .bus import Bus
from .follow import follow

_WATCHED: tuple[type[JobFact], ...] = (JobRequested, JobPlanned, JobFailed, JobCancelled, JobSealed)


@dataclass(frozen=True)
class OpenJob:
    requested: JobRequested
    planned: JobPlanned | None = None


@dataclass
class OpenJobs:
    """Jobs that were requested and have not ended. `on_planned` is called once for each that is ready for work."""

    bus: Bus
    on_planned: Callable[[OpenJob], None] | None = None
    on_ended: Callable[[str], None] | None = None
    caught_up: asyncio.Event = field(default_factory=asyncio.Event)
    _open: dict[str, OpenJob] = field(default_factory=dict)
    _ended: set[str] = field(default_factory=set)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def watch(self, stop: asyncio.Event) -> None:
        await follow(
            self.bus,
            filter_subjects=[job_subject("*", event_type) for event_type in _WATCHED],
            apply=self.apply,
            stop=stop,
            caught_up=self.caught_up,
        )

    def apply(self, event: Event) -> None:
        """Idempotent: the history is read again after every interruption."""
        match event:
            case JobRequested() if event.job_id not in self._ended and event.job_id not in self._open:
                self._open[event.job_id] = OpenJob(event)
            case JobPlanned() if (job := self._open.get(event.job_id)) is not None and job.planned is None:
                self._open[event.job_id] = planned = OpenJob(job.requested, event)
                if self.on_planned is not None:
                    self.on_planned(planned)
            case JobFailed() | JobCancelled() | JobSealed() if event.job_id not in self._ended:
                self._ended.add(event.job_id)
                self._open.pop(event.job_id, None)
                if self.on_ended is not None:
                    self.on_ended(event.job_id)
        self._changed.set()

    def ended(self, job_id: str) -> bool:
        return job_id in self._ended

    async def get(self, job_id: str, *, patience_seconds: float = 10.0) -> OpenJob | None:
        """The open job; None when it has ended, or is still unknown after `patience_seconds`.

        A worker may see a unit before this reader has seen its job: the two consumers are not ordered among each other.
        """
        if (known := self._open.get(job_id)) is not None:
            return known
        try:
            async with asyncio.timeout(patience_seconds):
                while job_id not in self._open and job_id not in self._ended:
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            return None
        return self._open.get(job_id)
