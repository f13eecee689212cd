"""A reviewer decides on publication; every decision is a fact with a reason, and its owner reads it."""

from litestar import get, post
from litestar.params import FromPath, JSONBody

from aml.contracts.boards import ReviewDecided
from aml.contracts.seals import Decision
from aml.gateway.edge.authorise import ANY_ROLE, REVIEWERS
from aml.gateway.edge.injected import GivenCaller, GivenParts
from aml.gateway.errors import StateConflict
from aml.gateway.jobs.job_access import require_visible
from aml.gateway.jobs.job_queries import JobRow
from aml.gateway.storage.outbox import enqueue
from aml.gateway.storage.track_lock import lock_key_and_track

from .bodies import ReviewOrder
from .own_system import require_impartial
from .review_queries import add_review, load_job_decisions
from .views import Decisions, Reviewed


@post("/jobs/{job_id:str}/review", summary="Decide on a job's publication", guards=[REVIEWERS], status_code=200)
async def decide_review(
    parts: GivenParts, caller: GivenCaller, job_id: FromPath[str], data: JSONBody[ReviewOrder]
) -> Reviewed:
    async with parts.database.transaction() as connection:
        row = await require_visible(connection, caller, job_id)
        await lock_key_and_track(connection, row.key_id, row.track)
        row = await require_visible(connection, caller, job_id)  # as it stands now that no other decision can come
        await require_impartial(connection, caller, key_id=row.key_id)
        seal = reviewable_seal(row, data.decision)
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


@get("/jobs/{job_id:str}/decisions", summary="What was decided about a job's publication, and why", guards=[ANY_ROLE])
async def read_decisions(parts: GivenParts, caller: GivenCaller, job_id: FromPath[str]) -> Decisions:
    async with parts.database.read() as connection:
        row = await require_visible(connection, caller, job_id)
        return Decisions(decisions=tuple(await load_job_decisions(connection, row.job_id)))


_AFTER: dict[str | None, tuple[Decision, ...]] = {
    None: ("approve", "decline", "ask_for_more", "disqualify"),
    "ask_for_more": ("approve", "decline", "ask_for_more", "disqualify"),
    "approve": ("withdraw", "disqualify"),
    "decline": ("approve", "disqualify"),
    "withdraw": ("approve", "disqualify"),
    "disqualify": (),
}


def possible_decisions(row: JobRow) -> tuple[Decision, ...]:
    return _AFTER[row.decision] if row.gate == "passed" else ()


def reviewable_seal(row: JobRow, decision: Decision) -> str:
    """The seal of the result that is decided on. Raises `StateConflict`."""
    if row.gate != "passed" or row.seal is None:
        state = "was refused by the gate" if row.gate == "refused" else "has not passed the gate yet"
        raise StateConflict("gate_not_passed", f"this job {state}; only what passed can be reviewed")
    if decision not in _AFTER[row.decision]:
        possible = " or ".join(_AFTER[row.decision]) or "nothing"
        raise StateConflict(
            "decision_not_possible", f"after {row.decision or 'no decision'} comes {possible}, not {decision}"
        )
    return row.seal
