"""What ingest decides on, fact by fact: a smoke is examined first and planned when it passed, any other job at once."""

from dataclasses import dataclass

from aml.contracts.doctor import ContractChecked
from aml.contracts.envelope import JobFact
from aml.contracts.events import Event
from aml.contracts.jobs import JobFailed, JobRequested
from aml.rules.identity import job_subject
from aml.runtime.bus import Bus
from aml.runtime.clock import Clock
from aml.runtime.open_jobs import OpenJobs
from aml.runtime.publish_once import publish_once
from aml.runtime.reactors import react

from .check_contract import AT_ONCE, ContractChecker, is_examined
from .plan_job import JobPlanner


@dataclass(frozen=True)
class Reactions:
    bus: Bus
    clock: Clock
    jobs: OpenJobs
    planner: JobPlanner
    checker: ContractChecker

    def register(self) -> None:
        """Before the broker starts."""
        react(self.bus, JobRequested, durable="ingest-planner", handle=self._plan, give_up=self._fail)
        react(
            self.bus,
            JobRequested,
            durable="ingest-doctor",
            handle=self._check,
            give_up=self._fail,
            at_once=AT_ONCE,
        )
        react(
            self.bus,
            ContractChecked,
            durable="ingest-checked-planner",
            handle=self._plan_checked,
            give_up=self._fail,
        )

    async def _plan(self, event: Event) -> None:
        if isinstance(event, JobRequested) and not is_examined(event) and not self.jobs.ended(event.job_id):
            await self.planner.plan(event)

    async def _check(self, event: Event) -> None:
        if isinstance(event, JobRequested) and is_examined(event) and not self.jobs.ended(event.job_id):
            await self.checker.check(event)

    async def _plan_checked(self, event: Event) -> None:
        if isinstance(event, ContractChecked) and event.passed and not self.jobs.ended(event.job_id):
            requested = await self.bus.last_event(job_subject(event.job_id, JobRequested))
            assert isinstance(requested, JobRequested)
            await self.planner.plan(requested)

    async def _fail(self, event: Event, error: Exception) -> None:
        """The job ends for a reason of ours, which costs its owner no quota; the log holds the cause."""
        assert isinstance(event, JobFact)
        failed = JobFailed(
            at=self.clock.now_ms(),
            job_id=event.job_id,
            stage="ingest",
            reason="internal",
            detail=f"the job could not be planned ({type(error).__name__}); the operator's log has the cause",
            attempt_log=None,
        )
        await publish_once(self.bus, failed)
