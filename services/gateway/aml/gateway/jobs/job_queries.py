"""Jobs and their progress in the database. Takes a connection, never commits."""

from datetime import datetime
from functools import cache
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import Insert, Select, Text, Update, func, select, update
from sqlalchemy.dialects.postgresql import insert

from aml.gateway.storage.database import Connection
from aml.gateway.storage.statements import execute, fetch_all, fetch_one, given
from aml.gateway.storage.tables import job, job_progress, system_version

ACTIVE = ("queued", "running")


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


_OF_VERSION = ("system", "version", "division")
_OF_PROGRESS = (
    *("planned_at", "samples", "chunks", "questions", "chunks_added", "samples_ingested", "opened", "searched"),
    *("answered", "correct", "incorrect", "graded", "unscored", "retries", "requeued", "parked"),
    *("first_add_at", "last_at"),
)


@cache
def select_jobs() -> Select[Any]:
    """What a `JobRow` needs, of all jobs."""
    own = tuple(name for name in JobRow.__struct_fields__ if name not in {*_OF_VERSION, *_OF_PROGRESS, "now"})
    return select(
        *job.c[own], *system_version.c[_OF_VERSION], *job_progress.c[_OF_PROGRESS], func.now().label("now")
    ).select_from(
        job.join(system_version, system_version.c.version_id == job.c.version_id).outerjoin(
            job_progress, job_progress.c.job_id == job.c.job_id
        )
    )


@cache
def select_job() -> Select[Any]:
    return select_jobs().where(job.c.job_id == given("job_id"))


async def load_job(connection: Connection, job_id: str) -> JobRow | None:
    return await fetch_one(connection, select_job(), JobRow, job_id=job_id)


@cache
def select_job_page() -> Select[Any]:
    key_id = given("key_id", Text())
    return (
        select_jobs()
        .where(key_id.is_(None) | (job.c.key_id == key_id))
        .order_by(job.c.requested_at.desc(), job.c.job_id)
        .limit(given("limit"))
        .offset(given("offset"))
    )


async def load_job_page(connection: Connection, key_id: str | None, limit: int, offset: int) -> list[JobRow]:
    """Newest first; of all keys where `key_id` is None."""
    return await fetch_all(connection, select_job_page(), JobRow, key_id=key_id, limit=limit, offset=offset)


class NewJob(Struct, frozen=True, kw_only=True):
    job_id: str
    key_id: str
    version_id: str
    mode: str
    arm: str
    track: str
    run_label: str
    release_id: str
    release_digest: str
    datasets: bytes
    """JSON."""
    add_concurrency: int
    search_concurrency: int


@cache
def insert_job() -> Insert:
    return (
        insert(job)
        .values({name: given(name) for name in NewJob.__struct_fields__})
        .on_conflict_do_nothing(constraint="job_run_label_once")
    )


async def add_job(connection: Connection, new: NewJob) -> bool:
    """False when the version has a run of this label."""
    return (await execute(connection, insert_job(), **asdict(new))).rowcount == 1


@cache
def update_cancelled() -> Update:
    return (
        update(job)
        .values(state="cancelled", ended_at=func.now())
        .where(job.c.job_id == given("job_id"), job.c.state.in_(ACTIVE))
    )


async def cancel_job(connection: Connection, job_id: str) -> bool:
    """False when it had ended."""
    return (await execute(connection, update_cancelled(), job_id=job_id)).rowcount == 1
