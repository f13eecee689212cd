"""All SQL on jobs, their progress, results and reviews. Takes a connection, never commits."""

from datetime import datetime
from typing import Any

from msgspec import Struct
from psycopg.rows import class_row

from aml.contracts.vocabulary import UnscoredReason
from aml.rules.quota import PastRun, QuotaMode

from .database import Connection


class JobRow(Struct, frozen=True, kw_only=True):
    """A job with its version and its folded progress; the progress columns are None before its first event."""

    job_id: str
    key_id: str
    version_id: str
    system: str
    version: str
    track: str
    division: str
    mode: str
    arm: str
    run_label: str
    release_id: str
    release_digest: str
    add_concurrency: int
    search_concurrency: int
    requested_at: datetime
    state: str
    sealed: bool
    ended_at: datetime | None
    failure_stage: str | None
    failure_reason: str | None
    failure_detail: str | None
    gate: str | None
    seal: str | None
    reviews: int
    decision: str | None
    planned_at: datetime | None
    samples: int | None
    chunks: int | None
    questions: int | None
    chunks_added: int | None
    samples_ingested: int | None
    opened: int | None
    searched: int | None
    answered: int | None
    correct: int | None
    incorrect: int | None
    graded: int | None
    unscored: int | None
    retries: int | None
    requeued: int | None
    parked: int | None
    first_add_at: datetime | None
    last_at: datetime | None
    now: datetime


SELECT_JOB = """
    SELECT j.job_id, j.key_id, j.version_id, v.system, v.version, j.track, v.division, j.mode, j.arm, j.run_label,
           j.release_id, j.release_digest, j.add_concurrency, j.search_concurrency, j.requested_at, j.state, j.sealed,
           j.ended_at, j.failure_stage, j.failure_reason, j.failure_detail, j.gate, j.seal, j.reviews, j.decision,
           p.planned_at, p.samples, p.chunks, p.questions, p.chunks_added, p.samples_ingested, p.opened, p.searched,
           p.answered, p.correct, p.incorrect, p.graded, p.unscored, p.retries, p.requeued, p.parked, p.first_add_at,
           p.last_at, now() AS now
    FROM gateway.job j JOIN gateway.system_version v USING (version_id) LEFT JOIN gateway.job_progress p USING (job_id)
"""


async def load_job(connection: Connection, job_id: str) -> JobRow | None:
    async with connection.cursor(row_factory=class_row(JobRow)) as cursor:
        await cursor.execute(f"{SELECT_JOB} WHERE j.job_id = %s", (job_id,))
        return await cursor.fetchone()


async def list_jobs(connection: Connection, key_id: str | None, limit: int, offset: int) -> list[JobRow]:
    """Newest first; of all keys where `key_id` is None."""
    async with connection.cursor(row_factory=class_row(JobRow)) as cursor:
        await cursor.execute(
            f"{SELECT_JOB} WHERE %(key)s::text IS NULL OR j.key_id = %(key)s "
            "ORDER BY j.requested_at DESC, j.job_id LIMIT %(limit)s OFFSET %(offset)s",
            {"key": key_id, "limit": limit, "offset": offset},
        )
        return await cursor.fetchall()


async def lock_key_and_track(connection: Connection, key_id: str, track: str) -> None:
    """Decisions on one key and track follow one another; held until the transaction ends."""
    await connection.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (f"aml-gateway-jobs\x1f{key_id}\x1f{track}",)
    )


async def active_job(connection: Connection, key_id: str, track: str) -> str | None:
    row = await (
        await connection.execute(
            "SELECT job_id FROM gateway.job WHERE key_id = %s AND track = %s AND state IN ('queued', 'running') "
            "AND mode <> 'run' AND arm = 'participant'",
            (key_id, track),
        )
    ).fetchone()
    return None if row is None else str(row["job_id"])


async def smoke_passed(connection: Connection, version_id: str) -> bool:
    row = await (
        await connection.execute(
            "SELECT EXISTS (SELECT FROM gateway.job j LEFT JOIN gateway.job_progress p USING (job_id) "
            "WHERE j.version_id = %s AND j.mode = 'smoke' AND j.state = 'completed' "
            "AND coalesce(p.unscored, 0) = 0) AS passed",
            (version_id,),
        )
    ).fetchone()
    return row is not None and bool(row["passed"])


class _QuotaRow(Struct, frozen=True, kw_only=True):
    mode: QuotaMode
    state: Any
    requested_at: int
    first_add_at: int | None
    ended_at: int | None
    failure: UnscoredReason | None
    unscored_by_platform: int


async def past_runs(
    connection: Connection, key_id: str, track: str, release_id: str, mode: QuotaMode
) -> tuple[list[PastRun], int]:
    """The runs that may cost quota, and the database's time, in Unix milliseconds."""
    async with connection.cursor(row_factory=class_row(_QuotaRow)) as cursor:
        await cursor.execute(
            """
            SELECT j.mode, j.state, (extract(epoch FROM j.requested_at) * 1000)::bigint AS requested_at,
                   (extract(epoch FROM p.first_add_at) * 1000)::bigint AS first_add_at,
                   (extract(epoch FROM j.ended_at) * 1000)::bigint AS ended_at,
                   j.failure_reason AS failure, coalesce(p.unscored_by_platform, 0) AS unscored_by_platform
            FROM gateway.job j LEFT JOIN gateway.job_progress p USING (job_id)
            WHERE j.key_id = %s AND j.track = %s AND j.release_id = %s AND j.mode = %s AND j.arm = 'participant'
            """,
            (key_id, track, release_id, mode),
        )
        rows = await cursor.fetchall()
    now = await (await connection.execute("SELECT (extract(epoch FROM now()) * 1000)::bigint AS now")).fetchone()
    assert now is not None
    runs = [
        PastRun(
            mode=row.mode,
            requested_at=row.requested_at,
            first_add_at=row.first_add_at,
            ended_at=row.ended_at,
            state=row.state,
            failure=row.failure,
            unscored_by_platform=row.unscored_by_platform,
        )
        for row in rows
    ]
    return runs, int(now["now"])


async def insert_job(connection: Connection, values: dict[str, Any]) -> bool:
    """False when the version has a run of this label."""
    cursor = await connection.execute(
        """
        INSERT INTO gateway.job (job_id, key_id, version_id, mode, arm, track, run_label, release_id, release_digest,
                                 datasets, add_concurrency, search_concurrency)
        VALUES (%(job_id)s, %(key_id)s, %(version_id)s, %(mode)s, %(arm)s, %(track)s, %(run_label)s, %(release_id)s,
                %(release_digest)s, %(datasets)s, %(add_concurrency)s, %(search_concurrency)s)
        ON CONFLICT ON CONSTRAINT job_run_label_once DO NOTHING
        """,
        values,
    )
    return cursor.rowcount == 1


async def cancel_job(connection: Connection, job_id: str) -> bool:
    """False when it had ended."""
    cursor = await connection.execute(
        "UPDATE gateway.job SET state = 'cancelled', ended_at = now() "
        "WHERE job_id = %s AND state IN ('queued', 'running')",
        (job_id,),
    )
    return cursor.rowcount == 1
