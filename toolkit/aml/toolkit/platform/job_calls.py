"""Jobs: ordered, followed, ended, taken up again."""

from collections.abc import AsyncIterator

from aml.gateway.jobs.bodies import Cancellation, JobOrder, Resumption
from aml.gateway.jobs.views import Job, JobList, QuotaList, Resumed

from .connection import Connection, segment
from .progress_events import follow_events


class JobCalls:
    connection: Connection

    async def create_job(self, order: JobOrder) -> Job:
        return await self.connection.create("/jobs", order, Job)

    async def jobs(self, limit: int = 100, offset: int = 0) -> JobList:
        return await self.connection.get("/jobs", JobList, limit=limit, offset=offset)

    async def job(self, job_id: str) -> Job:
        return await self.connection.get(f"/jobs/{segment(job_id)}", Job)

    def watch(self, job_id: str) -> AsyncIterator[Job]:
        """The job at every change, to its end; by polling where events do not come through. Raises `PlatformError`."""
        return follow_events(self.connection, job_id, self.job)

    async def cancel(self, job_id: str, reason: str = "cancelled by its owner") -> Job:
        return await self.connection.post(f"/jobs/{segment(job_id)}/cancel", Cancellation(reason=reason), Job)

    async def resume(self, job_id: str, run_label: str | None = None) -> Resumed:
        return await self.connection.create(f"/jobs/{segment(job_id)}/resume", Resumption(run_label=run_label), Resumed)

    async def quotas(self, track: str | None = None, release_id: str | None = None) -> QuotaList:
        return await self.connection.get("/quotas", QuotaList, track=track, release_id=release_id)
