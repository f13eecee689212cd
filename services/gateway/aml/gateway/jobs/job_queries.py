"""Jobs and their progress in the database. Takes a connection, never commits."""

from datetime import datetime
from functools import cache
from typing import Any

from msgspec import Struct
from sqlalchemy import (
    ColumnElement,
    Select,
    Text,
    Update,
    any_,
    case,
    func,
    literal_column,
    select,
    tuple_,
    update,
)
from sqlalchemy.dialects.postgresql import ARRAY

from aml.gateway.storage.database import Connection
from aml.gateway.storage.statements import execute, fetch_all, fetch_column, fetch_one, given
from aml.gateway.storage.tables import job, job_progress, parked, system_version, unit

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
    resumes: str | None
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
    moved_at: datetime | None
    trouble_at: datetime | None
    trouble_stage: str | None
    trouble_reason: str | None
    trouble_detail: str | None
    queue_place: int | None
    parked_now: int | None
    """Parked and not driven again since."""
    errors: list[dict[str, Any]] | None
    """As `ErrorSummary`."""
    now: datetime


_OF_VERSION = ("system", "version", "division")
_OF_PROGRESS = (
    *("planned_at", "samples", "chunks", "questions", "chunks_added", "samples_ingested", "opened", "searched"),
    *("answered", "correct", "incorrect", "graded", "unscored", "retries", "requeued", "parked"),
    *("first_add_at", "last_at", "moved_at", "trouble_at", "trouble_stage", "trouble_reason", "trouble_detail"),
)
_MAX_PLACE = 1000
"""Nobody counts on behind this place: it is shown to all who stand there."""
_MAX_ERRORS = 20


def _queue_place() -> ColumnElement[Any]:
    """Asked only of a job that is queued; a few places are looked up in an index that holds queued jobs alone."""
    other = job.alias("earlier")
    earlier = (
        select(other.c.job_id)
        .where(
            other.c.state == "queued",
            tuple_(other.c.requested_at, other.c.job_id) < tuple_(job.c.requested_at, job.c.job_id),
        )
        .limit(_MAX_PLACE - 1)
        .correlate(job)
        .subquery("earlier_jobs")
    )
    place = select(func.count() + 1).select_from(earlier).scalar_subquery()
    return case((job.c.state == "queued", place))


def _parked_now() -> ColumnElement[Any]:
    waiting = (
        select(func.count())
        .select_from(parked)
        .where(parked.c.job_id == job.c.job_id, parked.c.requeued_at.is_(None))
        .correlate(job)
        .scalar_subquery()
    )
    return case((job_progress.c.parked > 0, waiting))


def _errors() -> ColumnElement[Any]:
    grouped = (
        select(unit.c.stage, unit.c.reason, func.count().label("questions"), func.min(unit.c.detail).label("example"))
        .where(unit.c.job_id == job.c.job_id, unit.c.outcome == "unscored")
        .group_by(unit.c.stage, unit.c.reason)
        .order_by(func.count().desc(), unit.c.stage, unit.c.reason)
        .limit(_MAX_ERRORS)
        .correlate(job)
        .subquery("grouped")
    )
    columns = ("stage", "reason", "questions", "example")
    row = func.json_build_object(*(part for name in columns for part in (literal_column(f"'{name}'"), grouped.c[name])))
    return case((job_progress.c.unscored > 0, select(func.json_agg(row)).select_from(grouped).scalar_subquery()))


@cache
def select_jobs() -> Select[Any]:
    """What a `JobRow` needs, of all jobs."""
    computed = {"queue_place": _queue_place(), "parked_now": _parked_now(), "errors": _errors(), "now": func.now()}
    own = tuple(name for name in JobRow.__struct_fields__ if name not in {*_OF_VERSION, *_OF_PROGRESS, *computed})
    return select(
        *job.c[own],
        *system_version.c[_OF_VERSION],
        *job_progress.c[_OF_PROGRESS],
        *(value.label(name) for name, value in computed.items()),
    ).select_from(
        job.join(system_version, system_version.c.version_id == job.c.version_id).outerjoin(
            job_progress, job_progress.c.job_id == job.c.job_id
        )
    )


@cache
def select_job() -> Select[Any]:
    return select_jobs().where(job.c.job_id == given("job_id"))


@cache
def select_watched_jobs() -> Select[Any]:
    return select_jobs().where(job.c.job_id == any_(given("job_ids", ARRAY(Text()))))


async def load_watched_jobs(connection: Connection, job_ids: list[str]) -> list[JobRow]:
    return await fetch_all(connection, select_watched_jobs(), JobRow, job_ids=job_ids)


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


@cache
def select_active_jobs() -> Select[Any]:
    return (
        select(job.c.job_id)
        .where(job.c.key_id == given("key_id"), job.c.state.in_(ACTIVE))
        .order_by(job.c.requested_at, job.c.job_id)
    )


async def load_active_jobs(connection: Connection, key_id: str) -> list[str]:
    """Ids of the key's jobs that have not ended, oldest first."""
    return await fetch_column(connection, select_active_jobs(), key_id=key_id)


@cache
def update_cancelled() -> Update:
    return (
        update(job)
        .values(state="cancelled", ended_at=func.now(), cancelled_by=given("cancelled_by", Text()))
        .where(job.c.job_id == given("job_id"), job.c.state.in_(ACTIVE))
    )


async def cancel_job(connection: Connection, job_id: str, cancelled_by: str) -> bool:
    """False when it had ended."""
    return (await execute(connection, update_cancelled(), job_id=job_id, cancelled_by=cancelled_by)).rowcount == 1
