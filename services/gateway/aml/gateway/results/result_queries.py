"""Results, questions and reviews in the database. Takes a connection, never commits."""

from functools import cache
from typing import Any

from msgspec import Struct
from sqlalchemy import ColumnElement, Insert, Select, Text, Update, any_, func, insert, or_, select, update
from sqlalchemy.dialects.postgresql import ARRAY, array

from aml.gateway.jobs.job_queries import JobRow, select_jobs
from aml.gateway.storage.database import Connection
from aml.gateway.storage.statements import execute, fetch_all, fetch_value, given
from aml.gateway.storage.tables import job, job_result, review, unit

from .views import QuestionRow

_FAILURES_FIRST = ("unscored", "incorrect", "graded", "correct")


@cache
def select_result() -> Select[Any]:
    return select(job_result.c.event).where(job_result.c.job_id == given("job_id"))


async def load_result(connection: Connection, job_id: str) -> bytes | None:
    found = await fetch_value(connection, select_result(), job_id=job_id)
    return None if found is None else bytes(found)


def _asked_questions() -> ColumnElement[bool]:
    outcome = given("outcome", Text())
    return (unit.c.job_id == given("job_id")) & or_(outcome.is_(None), unit.c.outcome == outcome)


@cache
def select_question_page() -> Select[Any]:
    return (
        select(*unit.c[QuestionRow.__struct_fields__])
        .where(_asked_questions())
        .order_by(
            func.array_position(array(_FAILURES_FIRST, type_=Text()), unit.c.outcome),
            *unit.c["score", "dataset", "sample", "item", "unit"],
        )
        .limit(given("limit"))
        .offset(given("offset"))
    )


@cache
def select_question_count() -> Select[Any]:
    return select(func.count()).select_from(unit).where(_asked_questions())


async def load_question_page(
    connection: Connection, job_id: str, outcome: str | None, limit: int, offset: int
) -> tuple[int, list[QuestionRow]]:
    """Failures first. Returns how many match, and the page."""
    rows = await fetch_all(
        connection, select_question_page(), QuestionRow, job_id=job_id, outcome=outcome, limit=limit, offset=offset
    )
    return int(await fetch_value(connection, select_question_count(), job_id=job_id, outcome=outcome)), rows


@cache
def select_jobs_to_review() -> Select[Any]:
    return (
        select_jobs()
        .where(job.c.gate == "passed", or_(job.c.decision.is_(None), job.c.decision == "ask_for_more"))
        .order_by(job.c.requested_at, job.c.job_id)
        .limit(given("limit"))
        .offset(given("offset"))
    )


class _ResultRow(Struct, frozen=True, kw_only=True):
    job_id: str
    event: bytes


@cache
def select_results() -> Select[Any]:
    return select(*job_result.c[_ResultRow.__struct_fields__]).where(
        job_result.c.job_id == any_(given("job_ids", ARRAY(Text())))
    )


async def load_jobs_to_review(connection: Connection, limit: int, offset: int) -> list[tuple[JobRow, bytes]]:
    jobs = await fetch_all(connection, select_jobs_to_review(), JobRow, limit=limit, offset=offset)
    results = await fetch_all(connection, select_results(), _ResultRow, job_ids=[row.job_id for row in jobs])
    events = {row.job_id: row.event for row in results}
    return [(row, events[row.job_id]) for row in jobs if row.job_id in events]


@cache
def insert_review() -> Insert:
    columns = ("job_id", "number", "decision", "reason", "reviewer")
    return insert(review).values({name: given(name) for name in columns})


@cache
def update_decision() -> Update:
    return (
        update(job)
        .values(reviews=given("number"), decision=given("decision"), decided_at=func.now())
        .where(job.c.job_id == given("job_id"))
    )


async def add_review(
    connection: Connection, job_id: str, number: int, decision: str, reason: str, reviewer: str
) -> None:
    await execute(
        connection,
        insert_review(),
        job_id=job_id,
        number=number,
        decision=decision,
        reason=reason,
        reviewer=reviewer,
    )
    await execute(connection, update_decision(), job_id=job_id, number=number, decision=decision)
