"""All SQL on parked units and their requeues. Takes a connection, never commits."""

from psycopg.rows import class_row

from .database import Connection
from .fold import Kind
from .views import ParkedUnit


async def list_parked(connection: Connection, job_id: str | None) -> list[ParkedUnit]:
    async with connection.cursor(row_factory=class_row(ParkedUnit)) as cursor:
        await cursor.execute(
            "SELECT job_id, unit, stage, trigger, error, parked_at FROM gateway.parked "
            "WHERE requeued_at IS NULL AND (%(job)s::text IS NULL OR job_id = %(job)s) "
            "ORDER BY parked_at, job_id, unit LIMIT 1000",
            {"job": job_id},
        )
        return await cursor.fetchall()


async def take_parked(connection: Connection, job_id: str) -> list[ParkedUnit]:
    """Marks what is parked as requeued and returns it."""
    async with connection.cursor(row_factory=class_row(ParkedUnit)) as cursor:
        await cursor.execute(
            "UPDATE gateway.parked SET requeued_at = now() WHERE job_id = %s AND requeued_at IS NULL "
            "RETURNING job_id, unit, stage, trigger, error, parked_at",
            (job_id,),
        )
        return await cursor.fetchall()


async def count_requeued(connection: Connection, job_id: str) -> int:
    """How many parked units of the job were driven again so far: the next ones are numbered from here."""
    row = await (
        await connection.execute(
            "SELECT count(*) AS n FROM gateway.parked WHERE job_id = %s AND requeued_at IS NOT NULL", (job_id,)
        )
    ).fetchone()
    assert row is not None
    return int(row["n"])


async def requeued_units(connection: Connection, job_id: str) -> list[str]:
    """The names of all requeues of the job, whoever asked for them."""
    rows = await (
        await connection.execute(
            "SELECT unit FROM gateway.fact WHERE job_id = %s AND kind = %s", (job_id, int(Kind.REQUEUED))
        )
    ).fetchall()
    return [row["unit"] for row in rows]
