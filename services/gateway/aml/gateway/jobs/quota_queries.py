"""What stands against a further job of a key and track, in the database. Takes a connection, never commits."""

from functools import cache
from typing import Any

from msgspec import Struct
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Select,
    Text,
    cast,
    extract,
    func,
    select,
)

from aml.contracts.vocabulary import UnscoredReason
from aml.gateway.access.version_queries import passed_smoke_of
from aml.gateway.storage.database import Connection
from aml.gateway.storage.statements import execute, fetch_all, fetch_value, given
from aml.gateway.storage.tables import job, job_progress
from aml.rules.quota import PastRun, QuotaMode

from .job_queries import ACTIVE


@cache
def select_lock() -> Select[Any]:
    return select(func.pg_advisory_xact_lock(func.hashtextextended(given("name", Text()), 0)))


async def lock_key_and_track(connection: Connection, key_id: str, track: str) -> None:
    """Decisions on one key and track follow one another; held until the transaction ends."""
    await execute(connection, select_lock(), name=f"aml-gateway-jobs\x1f{key_id}\x1f{track}")


@cache
def select_active_job() -> Select[Any]:
    return select(job.c.job_id).where(
        job.c.key_id == given("key_id"),
        job.c.track == given("track"),
        job.c.state.in_(ACTIVE),
        job.c.mode != "run",
        job.c.arm == "participant",
    )


async def load_active_job(connection: Connection, key_id: str, track: str) -> str | None:
    found = await fetch_value(connection, select_active_job(), key_id=key_id, track=track)
    return None if found is None else str(found)


@cache
def select_smoke_passed() -> Select[Any]:
    return select(passed_smoke_of(given("version_id")))


async def load_smoke_passed(connection: Connection, version_id: str) -> bool:
    return bool(await fetch_value(connection, select_smoke_passed(), version_id=version_id))


class _QuotaRow(Struct, frozen=True, kw_only=True):
    mode: QuotaMode
    state: Any
    requested_at: int
    first_add_at: int | None
    ended_at: int | None
    failure: UnscoredReason | None
    unscored_by_platform: int


def _unix_ms(moment: ColumnElement[Any]) -> ColumnElement[int]:
    return cast(extract("epoch", moment) * 1000, BigInteger)


@cache
def select_past_runs() -> Select[Any]:
    return (
        select(
            job.c.mode,
            job.c.state,
            _unix_ms(job.c.requested_at).label("requested_at"),
            _unix_ms(job_progress.c.first_add_at).label("first_add_at"),
            _unix_ms(job.c.ended_at).label("ended_at"),
            job.c.failure_reason.label("failure"),
            func.coalesce(job_progress.c.unscored_by_platform, 0).label("unscored_by_platform"),
        )
        .select_from(job.outerjoin(job_progress, job_progress.c.job_id == job.c.job_id))
        .where(
            job.c.key_id == given("key_id"),
            job.c.track == given("track"),
            job.c.release_id == given("release_id"),
            job.c.mode == given("mode"),
            job.c.arm == "participant",
        )
    )


@cache
def select_now() -> Select[Any]:
    return select(_unix_ms(func.now()))


async def load_past_runs(
    connection: Connection, key_id: str, track: str, release_id: str, mode: QuotaMode
) -> tuple[list[PastRun], int]:
    """The runs that may cost quota, and the database's time, in Unix milliseconds."""
    rows = await fetch_all(
        connection, select_past_runs(), _QuotaRow, key_id=key_id, track=track, release_id=release_id, mode=mode
    )
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
    return runs, int(await fetch_value(connection, select_now()))
