"""A job's private results: for its own key, reviewers and operators. For everybody else there is no such job."""

from litestar import get
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath

from aml.gateway.edge.authorise import ANY_ROLE
from aml.gateway.edge.documented_refusals import Refusal
from aml.gateway.edge.injected import GivenCaller, GivenParts
from aml.gateway.errors import StateConflict
from aml.gateway.jobs.job_access import require_visible
from aml.gateway.keys.keys import Caller
from aml.gateway.parts import Parts

from .result_queries import load_measures, load_result
from .result_view import results_of
from .views import Results

NOT_READY = {
    409: ResponseSpec(Refusal, description="The ledger has not sealed and judged the job yet", generate_examples=False)
}


@get("/jobs/{job_id:str}/results", summary="Scores and gate checks", guards=[ANY_ROLE], responses=NOT_READY)
async def read_results(parts: GivenParts, caller: GivenCaller, job_id: FromPath[str]) -> Results:
    return await load_results(parts, caller, job_id)


async def load_results(parts: Parts, caller: Caller, job_id: str) -> Results:
    """Raises `Unknown`, and `StateConflict` before the gate has looked at the job."""
    async with parts.database.read() as connection:
        row = await require_visible(connection, caller, job_id)
        stored = await load_result(connection, job_id)
        if stored is None:
            raise StateConflict(
                "results_not_ready",
                f"this job is {row.state}; its results come when the ledger has sealed and judged it",
            )
        return results_of(stored, await load_measures(connection, job_id))
