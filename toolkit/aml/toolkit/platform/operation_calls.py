"""What an operator does: own runs, parked units, the overview, whom a reviewer belongs to."""

from aml.gateway.jobs.views import Job
from aml.gateway.operations.bodies import RunOrder
from aml.gateway.operations.views import Overview, Parked, Requeued, ReviewerLinked
from aml.gateway.review.bodies import ReviewerLinkOrder

from .connection import Connection, segment


class OperationCalls:
    connection: Connection

    async def create_run(self, order: RunOrder) -> Job:
        return await self.connection.create("/operator/runs", order, Job)

    async def overview(self) -> Overview:
        return await self.connection.get("/operator/overview", Overview)

    async def parked(self, job_id: str | None = None) -> Parked:
        return await self.connection.get("/operator/parked", Parked, job_id=job_id)

    async def requeue(self, job_id: str) -> Requeued:
        return await self.connection.post(f"/operator/jobs/{segment(job_id)}/requeue", None, Requeued)

    async def link_reviewer(self, key_id: str, order: ReviewerLinkOrder) -> ReviewerLinked:
        return await self.connection.put(f"/operator/keys/{segment(key_id)}/reviewer-link", order, ReviewerLinked)
