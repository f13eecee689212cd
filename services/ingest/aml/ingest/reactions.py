"""What ingest decides on, fact by fact: a smoke is examined first and planned when it passed, any other job at once."""

from dataclasses import dataclass

from aml.contracts.doctor import ContractChecked
from aml.contracts.events import Event
from aml.contracts.jobs import JobRequested
from aml.rules.identity import job_subject
from aml.runtime.bus import Bus
from aml.runtime.open_jobs import OpenJobs
from aml.runtime.reactors import react

from .check_contract import AT_ONCE, ContractChecker, is_examined
from .plan_job import JobPlanner


@dataclass(frozen=True)
class Reactions:
    bus: Bus
    jobs: OpenJobs
    planner: JobPlanner
    checker: ContractChecker

    def register(self) -> None:
        """Before the broker starts."""
        react(self.bus, JobRequested, durable="ingest-planner", handle=self._plan)
        react(self.bus, JobRequested, durable="ingest-doctor", handle=self._check, at_once=AT_ONCE)
        react(self.bus, ContractChecked, durable="ingest-checked-planner", handle=self._plan_checked)

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
