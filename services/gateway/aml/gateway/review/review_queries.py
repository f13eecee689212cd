"""The review queue, its decisions and notes in the database. Takes a connection, never commits."""

from datetime import datetime
from functools import cache
from typing import Any, Literal

from msgspec import Struct
from sqlalchemy import ColumnElement, Insert, Select, Text, Update, any_, func, insert, or_, select, update
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.sql.dml import ReturningInsert

from aml.gateway.jobs.job_queries import JobRow, select_jobs
from aml.gateway.storage.database import Connection
from aml.gateway.storage.statements import execute, fetch_all, fetch_value, given
from aml.gateway.storage.tables import job, job_result, review, review_note, system_version

from .views import DecisionRow, NoteRow

QueueState = Literal["open", "approve", "decline", "withdraw", "disqualify", "all"]
Origin = Literal["participants", "organiser"]


def is_organisers() -> ColumnElement[bool]:
    """Baselines, and what an operator started: the organiser's own, whoever answers."""
    return system_version.c.own_run | (job.c.arm != "participant")


@cache
def select_queue() -> Select[Any]:
    state, organisers = given("state", Text()), given("organisers")
    return (
        select_jobs()
        .where(
            job.c.gate == "passed",
            is_organisers() == organisers,
            or_(
                state == "all",
                (state == "open") & or_(job.c.decision.is_(None), job.c.decision == "ask_for_more"),
                job.c.decision == state,
            ),
        )
        .order_by(job.c.requested_at, job.c.job_id)
        .limit(given("limit"))
        .offset(given("offset"))
    )


class _ResultRow(Struct, frozen=True, kw_only=True):
    job_id: str
    event: bytes


@cache
def select_results_of() -> Select[Any]:
    return select(*job_result.c[_ResultRow.__struct_fields__]).where(
        job_result.c.job_id == any_(given("job_ids", ARRAY(Text())))
    )


async def load_queue(
    connection: Connection, state: QueueState, origin: Origin, limit: int, offset: int
) -> list[tuple[JobRow, bytes]]:
    """Oldest first, each with its `GatePassed`."""
    organisers = origin == "organiser"
    jobs = await fetch_all(
        connection, select_queue(), JobRow, state=state, organisers=organisers, limit=limit, offset=offset
    )
    results = await fetch_all(connection, select_results_of(), _ResultRow, job_ids=[row.job_id for row in jobs])
    events = {row.job_id: row.event for row in results}
    return [(row, events[row.job_id]) for row in jobs if row.job_id in events]


@cache
def select_open_count() -> Select[Any]:
    return (
        select(func.count())
        .select_from(job.join(system_version, system_version.c.version_id == job.c.version_id))
        .where(
            job.c.gate == "passed", ~is_organisers(), or_(job.c.decision.is_(None), job.c.decision == "ask_for_more")
        )
    )


async def count_open_reviews(connection: Connection) -> int:
    """Of participants."""
    return int(await fetch_value(connection, select_open_count()))


@cache
def select_own_run() -> Select[Any]:
    return select(system_version.c.own_run).where(system_version.c.version_id == given("version_id"))


async def load_own_run(connection: Connection, version_id: str) -> bool:
    return bool(await fetch_value(connection, select_own_run(), version_id=version_id))


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


@cache
def select_job_decisions() -> Select[Any]:
    return (
        select(*review.c[DecisionRow.__struct_fields__])
        .where(review.c.job_id == given("job_id"))
        .order_by(review.c.number)
    )


async def load_job_decisions(connection: Connection, job_id: str) -> list[DecisionRow]:
    return await fetch_all(connection, select_job_decisions(), DecisionRow, job_id=job_id)


@cache
def insert_note() -> ReturningInsert[Any]:
    number = select(func.coalesce(func.max(review_note.c.number), 0) + 1).where(
        review_note.c.job_id == given("job_id", Text())
    )
    values = {name: given(name) for name in ("job_id", "author", "text")}
    return (
        insert(review_note)
        .values(number=number.scalar_subquery(), **values)
        .returning(*review_note.c[NoteRow.__struct_fields__])
    )


async def add_note(connection: Connection, job_id: str, author: str, text: str) -> NoteRow:
    """Two at once are kept apart by the caller's lock on the job."""
    (note,) = await fetch_all(connection, insert_note(), NoteRow, job_id=job_id, author=author, text=text)
    return note


@cache
def select_notes() -> Select[Any]:
    return (
        select(*review_note.c[NoteRow.__struct_fields__])
        .where(review_note.c.job_id == given("job_id"))
        .order_by(review_note.c.number)
    )


async def load_notes(connection: Connection, job_id: str) -> list[NoteRow]:
    return await fetch_all(connection, select_notes(), NoteRow, job_id=job_id)


class PassedRow(Struct, frozen=True, kw_only=True):
    job_id: str
    requested_at: datetime
    event: bytes


@cache
def select_passed() -> Select[Any]:
    return (
        select(job.c.job_id, job.c.requested_at, job_result.c.event)
        .select_from(job.join(job_result, job_result.c.job_id == job.c.job_id))
        .where(job.c.gate == "passed", job.c.release_digest == given("release_digest"), job.c.job_id != given("job_id"))
        .order_by(job.c.requested_at.desc())
        .limit(given("limit"))
    )


async def load_passed(connection: Connection, release_digest: str, job_id: str, limit: int) -> list[PassedRow]:
    """Other results under the same release, the newest first."""
    return await fetch_all(
        connection, select_passed(), PassedRow, release_digest=release_digest, job_id=job_id, limit=limit
    )
