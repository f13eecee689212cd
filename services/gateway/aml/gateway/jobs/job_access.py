"""Who may see a job: its own key, reviewers and operators. For everybody else it does not exist."""

from aml.gateway.errors import Unknown
from aml.gateway.keys.keys import Caller
from aml.gateway.names import known
from aml.gateway.storage.database import Connection, Database

from .job_queries import JobRow, load_job


async def visible_job(database: Database, caller: Caller, job_id: str) -> JobRow:
    """Raises `Unknown`."""
    async with database.read() as connection:
        return await require_visible(connection, caller, job_id)


async def require_visible(connection: Connection, caller: Caller, job_id: str) -> JobRow:
    row = await load_job(connection, known("job", job_id))
    if row is None or (caller.role == "participant" and row.key_id != caller.key_id):
        raise Unknown("job", job_id)
    return row
