"""Who may see a job: its own key, reviewers and operators. For everybody else it does not exist."""

from aml.gateway.errors import Unknown
from aml.gateway.keys.keys import Caller
from aml.gateway.names import known
from aml.gateway.storage.database import Connection, Database
from aml.gateway.storage.gathered_reads import GatheredReads

from .job_queries import JobRow, load_job


async def visible_job(database: Database, caller: Caller, job_id: str) -> JobRow:
    """Raises `Unknown`."""
    async with database.read() as connection:
        return await require_visible(connection, caller, job_id)


async def visible_now(jobs: GatheredReads[JobRow], caller: Caller, job_id: str) -> JobRow:
    """As `visible_job`, together with whoever else asks at the moment."""
    return _seen_by(caller, job_id, await jobs.get(known("job", job_id)))


async def require_visible(connection: Connection, caller: Caller, job_id: str) -> JobRow:
    return _seen_by(caller, job_id, await load_job(connection, known("job", job_id)))


def _seen_by(caller: Caller, job_id: str, row: JobRow | None) -> JobRow:
    if row is None or (caller.role == "participant" and row.key_id != caller.key_id):
        raise Unknown("job", job_id)
    return row
