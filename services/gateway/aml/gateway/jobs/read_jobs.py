"""Jobs as their owner, a reviewer or an operator reads them; the polling form of a job's progress."""

from litestar import get
from litestar.params import FromPath

from aml.gateway.edge.authorise import ANY_ROLE
from aml.gateway.edge.injected import GivenCaller, GivenParts
from aml.gateway.edge.paging import Limit, Offset
from aml.gateway.parts import Parts

from .job_access import visible_now
from .job_queries import JobRow, load_job_page
from .job_view import CALM, job_view
from .stall import seems_stalled
from .views import Job, JobList


@get("/jobs", summary="Your jobs, newest first; all jobs for reviewers and operators", guards=[ANY_ROLE])
async def read_jobs(parts: GivenParts, caller: GivenCaller, limit: Limit = 100, offset: Offset = 0) -> JobList:
    async with parts.database.read() as connection:
        rows = await load_job_page(connection, caller.key_id if caller.role == "participant" else None, limit, offset)
    return JobList(jobs=tuple([await _shown(parts, row) for row in rows]))


@get("/jobs/{job_id:str}", summary="How a job stands", guards=[ANY_ROLE])
async def read_job(parts: GivenParts, caller: GivenCaller, job_id: FromPath[str]) -> Job:
    return await _shown(parts, await visible_now(parts.jobs, caller, job_id))


async def _shown(parts: Parts, row: JobRow) -> Job:
    return job_view(row, await parts.pulse.feel() if seems_stalled(row) else CALM)
