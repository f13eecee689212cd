"""Cancel a job. What was cancelled before its first Add, or by somebody else than its owner, costs no quota.

The order races with the job's own end, which may be on its way already: the ledger's seal decides, and it is waited for before
anything is claimed.
"""

from litestar import post
from litestar.params import FromPath, JSONBody

from aml.contracts.jobs import JobCancelled
from aml.gateway.edge.authorise import allow
from aml.gateway.edge.injected import GivenCaller, GivenParts
from aml.gateway.errors import StateConflict
from aml.gateway.storage.database import DATABASE_AWAY
from aml.gateway.storage.outbox import enqueue

from .await_end import once_sealed
from .bodies import Cancellation
from .job_access import require_visible
from .job_queries import cancel_job
from .job_view import job_view
from .views import Job


@post("/jobs/{job_id:str}/cancel", summary="Cancel", guards=[allow("participant", "operator")], status_code=200)
async def cancel(
    parts: GivenParts, caller: GivenCaller, job_id: FromPath[str], data: JSONBody[Cancellation | None] = None
) -> Job:
    """`sealed` is false where the ledger has not answered in time; the cancellation is then stored and on its way."""
    async with parts.database.transaction() as connection:
        row = await require_visible(connection, caller, job_id)
        if not await cancel_job(connection, job_id, caller.key_id):
            raise StateConflict("job_ended", f"this job is {row.state} already; there is nothing to cancel")
        reason = (data or Cancellation()).reason
        await enqueue(
            connection,
            JobCancelled(at=parts.clock.now_ms(), job_id=job_id, cancelled_by=caller.key_id, reason=reason),
        )
        row = await require_visible(connection, caller, job_id)
    parts.outbox.wake()
    try:
        (row,) = await once_sealed(parts, [job_id])
    except DATABASE_AWAY:
        return job_view(row)  # the order was stored
    if row.state != "cancelled":
        raise StateConflict("job_ended", f"this job was {row.state} before the cancellation reached it; it stays so")
    return job_view(row)
