"""The review queue: what passed the gate waits for a person, and every decision is a fact with a reason."""

from litestar import get, post
from litestar.params import FromPath, JSONBody

from aml.contracts.boards import ReviewDecided
from aml.contracts.seals import Decision
from aml.gateway.edge.authorise import REVIEWERS
from aml.gateway.edge.injected import GivenCaller, GivenParts
from aml.gateway.edge.paging import Limit, Offset
from aml.gateway.errors import OwnSystem, StateConflict
from aml.gateway.jobs.job_access import require_visible
from aml.gateway.jobs.job_queries import JobRow
from aml.gateway.jobs.quota_queries import lock_key_and_track
from aml.gateway.keys.keys import Caller
from aml.gateway.results.result_queries import add_review, load_jobs_to_review
from aml.gateway.results.results import results_of
from aml.gateway.storage.outbox import enqueue

from .bodies import ReviewOrder
from .views import Reviewed, ReviewItem, Reviews


@get("/reviews", summary="Jobs that passed the gate and wait for a decision", guards=[REVIEWERS])
async def read_reviews(parts: GivenParts, limit: Limit = 100, offset: Offset = 0) -> Reviews:
    async with parts.database.read() as connection:
        rows = await load_jobs_to_review(connection, limit, offset)
    return Reviews(
        reviews=tuple(
            ReviewItem(
                job_id=row.job_id,
                system=row.system,
                version=row.version,
                division=row.division,
                run_label=row.run_label,
                requested_at=row.requested_at,
                decision=row.decision,
                results=results_of(stored),
            )
            for row, stored in rows
        )
    )


@post("/jobs/{job_id:str}/review", summary="Decide on a job's publication", guards=[REVIEWERS], status_code=200)
async def decide_review(
    parts: GivenParts, caller: GivenCaller, job_id: FromPath[str], data: JSONBody[ReviewOrder]
) -> Reviewed:
    async with parts.database.transaction() as connection:
        row = await require_visible(connection, caller, job_id)
        await lock_key_and_track(connection, row.key_id, row.track)
        row = await require_visible(connection, caller, job_id)  # as it stands now that no other decision can come
        seal = reviewable_seal(row, caller, data.decision)
        number = row.reviews + 1
        await add_review(connection, job_id, number, data.decision, data.reason, caller.key_id)
        await enqueue(
            connection,
            ReviewDecided(
                at=parts.clock.now_ms(),
                job_id=job_id,
                number=number,
                decision=data.decision,
                reviewer=caller.key_id,
                reason=data.reason,
                seal=seal,
            ),
        )
    parts.outbox.wake()
    return Reviewed(job_id=job_id, number=number, decision=data.decision)


_AFTER: dict[str | None, tuple[Decision, ...]] = {
    None: ("approve", "decline", "ask_for_more", "disqualify"),
    "ask_for_more": ("approve", "decline", "ask_for_more", "disqualify"),
    "approve": ("withdraw", "disqualify"),
    "decline": ("approve", "disqualify"),
    "withdraw": ("approve", "disqualify"),
    "disqualify": (),
}


def reviewable_seal(row: JobRow, caller: Caller, decision: Decision) -> str:
    """The seal of the result that is decided on. Raises `OwnSystem`, `StateConflict`."""
    if row.key_id == caller.key_id:
        raise OwnSystem
    if row.gate != "passed" or row.seal is None:
        state = "was refused by the gate" if row.gate == "refused" else "has not passed the gate yet"
        raise StateConflict("gate_not_passed", f"this job {state}; only what passed can be reviewed")
    if decision not in _AFTER[row.decision]:
        possible = " or ".join(_AFTER[row.decision]) or "nothing"
        raise StateConflict(
            "decision_not_possible", f"after {row.decision or 'no decision'} comes {possible}, not {decision}"
        )
    return row.seal
