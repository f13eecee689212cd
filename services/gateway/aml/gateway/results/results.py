"""A job's private results: for its own key, reviewers and operators."""

from typing import Literal

from litestar import get
from litestar.params import FromPath, FromQuery

from aml.contracts.events import decode_event
from aml.contracts.seals import GatePassed, GateRefused
from aml.gateway.edge.authorise import ANY_ROLE
from aml.gateway.edge.injected import GivenCaller, GivenParts
from aml.gateway.edge.paging import Limit, Offset
from aml.gateway.errors import StateConflict
from aml.gateway.jobs.job_access import require_visible

from .result_queries import load_question_page, load_result
from .views import Questions, Results


@get("/jobs/{job_id:str}/results", summary="Scores and gate checks", guards=[ANY_ROLE])
async def read_results(parts: GivenParts, caller: GivenCaller, job_id: FromPath[str]) -> Results:
    async with parts.database.read() as connection:
        row = await require_visible(connection, caller, job_id)
        stored = await load_result(connection, job_id)
    if stored is None:
        raise StateConflict(
            "results_not_ready", f"this job is {row.state}; its results come when the ledger has sealed and judged it"
        )
    return results_of(stored)


@get("/jobs/{job_id:str}/questions", summary="Question by question, failures first", guards=[ANY_ROLE])
async def read_questions(
    parts: GivenParts,
    caller: GivenCaller,
    job_id: FromPath[str],
    outcome: FromQuery[Literal["correct", "incorrect", "graded", "unscored"] | None] = None,
    limit: Limit = 100,
    offset: Offset = 0,
) -> Questions:
    async with parts.database.read() as connection:
        await require_visible(connection, caller, job_id)
        total, rows = await load_question_page(connection, job_id, outcome, limit, offset)
    return Questions(total=total, questions=tuple(rows))


def results_of(stored: bytes) -> Results:
    event = decode_event(stored)
    assert isinstance(event, GatePassed | GateRefused)
    return Results(
        job_id=event.job_id,
        gate="passed" if isinstance(event, GatePassed) else "refused",
        subject=event.subject,
        seal=event.seal,
        result=event.result,
        checks=event.checks,
    )
