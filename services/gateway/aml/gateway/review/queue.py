"""The review queue: what passed the gate, participants' apart from the organiser's own."""

from typing import Annotated

from litestar import get
from litestar.params import QueryParameter

from aml.gateway.edge.authorise import REVIEWERS
from aml.gateway.edge.injected import GivenParts
from aml.gateway.edge.paging import Limit, Offset
from aml.gateway.jobs.job_queries import JobRow
from aml.gateway.results.result_view import results_of

from .review_queries import Origin, QueueState, load_queue
from .views import ReviewItem, Reviews


@get("/reviews", summary="Jobs that passed the gate, oldest first; by default those that wait", guards=[REVIEWERS])
async def read_reviews(
    parts: GivenParts,
    in_state: Annotated[QueueState, QueryParameter(name="state")] = "open",
    origin: Annotated[
        Origin, QueryParameter(description="`organiser` are baselines and operators' own runs, which wait apart.")
    ] = "participants",
    limit: Limit = 100,
    offset: Offset = 0,
) -> Reviews:
    async with parts.database.read() as connection:
        rows = await load_queue(connection, in_state, origin, limit, offset)
    return Reviews(reviews=tuple(review_item(row, stored, origin) for row, stored in rows))


def review_item(row: JobRow, stored: bytes, origin: Origin) -> ReviewItem:
    return ReviewItem(
        job_id=row.job_id,
        key_id=row.key_id,
        version_id=row.version_id,
        system=row.system,
        version=row.version,
        track=row.track,
        division=row.division,
        arm=row.arm,
        mode=row.mode,
        run_label=row.run_label,
        requested_at=row.requested_at,
        origin=origin,
        decision=row.decision,
        results=results_of(stored),
    )
