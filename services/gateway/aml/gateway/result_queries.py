"""All SQL on results, questions and reviews. Takes a connection, never commits."""

from psycopg.rows import class_row

from .database import Connection
from .job_queries import SELECT_JOB, JobRow
from .views import QuestionRow


async def load_result(connection: Connection, job_id: str) -> bytes | None:
    row = await (
        await connection.execute("SELECT event FROM gateway.job_result WHERE job_id = %s", (job_id,))
    ).fetchone()
    return None if row is None else bytes(row["event"])


_QUESTION = (
    "unit, dataset, sample, item, category, outcome, score, rule, evidence_recall, stage, reason, detail, returned, "
    "search_attempts, search_micros, context_items, prompt_tokens, answer_micros, answer_calls, judge_calls"
)


async def list_questions(
    connection: Connection, job_id: str, outcome: str | None, limit: int, offset: int
) -> tuple[int, list[QuestionRow]]:
    """Failures first. Returns how many match, and the page."""
    values = {"job": job_id, "outcome": outcome, "limit": limit, "offset": offset}
    where = "WHERE job_id = %(job)s AND (%(outcome)s::text IS NULL OR outcome = %(outcome)s)"
    async with connection.cursor(row_factory=class_row(QuestionRow)) as cursor:
        await cursor.execute(
            f"SELECT {_QUESTION} FROM gateway.unit {where} "  # noqa: S608  two constants
            "ORDER BY array_position(ARRAY['unscored', 'incorrect', 'graded', 'correct'], outcome), "
            "score, dataset, sample, item, unit LIMIT %(limit)s OFFSET %(offset)s",
            values,
        )
        rows = await cursor.fetchall()
    total = await (
        await connection.execute(f"SELECT count(*) AS n FROM gateway.unit {where}", values)  # noqa: S608  a constant
    ).fetchone()
    assert total is not None
    return int(total["n"]), rows


async def jobs_to_review(connection: Connection, limit: int, offset: int) -> list[tuple[JobRow, bytes]]:
    async with connection.cursor(row_factory=class_row(JobRow)) as cursor:
        await cursor.execute(
            f"{SELECT_JOB} WHERE j.gate = 'passed' AND (j.decision IS NULL OR j.decision = 'ask_for_more') "
            "ORDER BY j.requested_at, j.job_id LIMIT %s OFFSET %s",
            (limit, offset),
        )
        jobs = await cursor.fetchall()
    results = await (
        await connection.execute(
            "SELECT job_id, event FROM gateway.job_result WHERE job_id = ANY(%s)", ([job.job_id for job in jobs],)
        )
    ).fetchall()
    events = {row["job_id"]: bytes(row["event"]) for row in results}
    return [(job, events[job.job_id]) for job in jobs if job.job_id in events]


async def insert_review(
    connection: Connection, job_id: str, number: int, decision: str, reason: str, reviewer: str
) -> None:
    await connection.execute(
        "INSERT INTO gateway.review (job_id, number, decision, reason, reviewer) VALUES (%s, %s, %s, %s, %s)",
        (job_id, number, decision, reason, reviewer),
    )
    await connection.execute(
        "UPDATE gateway.job SET reviews = %s, decision = %s, decided_at = now() WHERE job_id = %s",
        (number, decision, job_id),
    )
