"""What stands against a further job of a key and track, in the database. Takes a connection, never commits."""

from functools import cache
from typing import Any

from msgspec import Struct
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Select,
    Text,
    and_,
    cast,
    extract,
    false,
    func,
    or_,
    select,
)

from aml.contracts.vocabulary import UnscoredReason
from aml.gateway.access.version_queries import passed_smoke_of
from aml.gateway.storage.database import Connection
from aml.gateway.storage.statements import fetch_all, fetch_value, given
from aml.gateway.storage.tables import job, job_progress
from aml.rules.quota import PastRun

from .job_queries import ACTIVE


@cache
def select_smoke_passed() -> Select[Any]:
    return select(passed_smoke_of(given("version_id")))


async def load_smoke_passed(connection: Connection, version_id: str) -> bool:
    return bool(await fetch_value(connection, select_smoke_passed(), version_id=version_id))


class RunsOfKey(Struct, frozen=True, kw_only=True):
    """What a key did on a track under a release. All times from the database's clock, in Unix milliseconds."""

    now: int
    active_job_id: str | None
    """Under whichever release."""
    past: tuple[PastRun, ...]
    """Of both modes; those that may cost quota."""
    label_taken: bool = False


class _RunRow(Struct, frozen=True, kw_only=True):
    """`job_id` is None in the one row of a key without runs."""

    now: int
    label_taken: bool
    job_id: str | None
    of_release: bool | None
    mode: Any
    state: Any
    requested_at: int | None
    first_add_at: int | None
    ended_at: int | None
    failure: UnscoredReason | None
    unscored_by_platform: int
    cancelled_by_other: bool


def _unix_ms(moment: ColumnElement[Any]) -> ColumnElement[int]:
    return cast(extract("epoch", moment) * 1000, BigInteger)


@cache
def select_runs() -> Select[Any]:
    """The clock beside each run, so that it is told also where there is none."""
    same = job.alias("same_label")
    taken = (
        select(same.c.job_id)
        .where(same.c.version_id == given("version_id", Text()), same.c.run_label_key == given("run_label_key", Text()))
        .exists()
    )
    clock = select(_unix_ms(func.now()).label("now"), taken.label("label_taken")).subquery("clock")
    runs = job.outerjoin(job_progress, job_progress.c.job_id == job.c.job_id)
    of_release = job.c.release_id == given("release_id")
    counts = and_(
        job.c.key_id == given("key_id"),
        job.c.track == given("track"),
        job.c.arm == "participant",
        job.c.mode != "run",
        or_(of_release, job.c.state.in_(ACTIVE)),
    )
    return select(
        *clock.c["now", "label_taken"],
        job.c.job_id,
        of_release.label("of_release"),
        job.c.mode,
        job.c.state,
        _unix_ms(job.c.requested_at).label("requested_at"),
        _unix_ms(job_progress.c.first_add_at).label("first_add_at"),
        _unix_ms(job.c.ended_at).label("ended_at"),
        job.c.failure_reason.label("failure"),
        func.coalesce(job_progress.c.unscored_by_platform, 0).label("unscored_by_platform"),
        func.coalesce(job.c.cancelled_by != job.c.key_id, false()).label("cancelled_by_other"),
    ).select_from(clock.outerjoin(runs, counts))


async def load_runs(
    connection: Connection,
    key_id: str,
    track: str,
    release_id: str,
    *,
    version_id: str | None = None,
    run_label_key: str | None = None,
) -> RunsOfKey:
    """`label_taken` where the version has a run whose label reads so."""
    rows = await fetch_all(
        connection,
        select_runs(),
        _RunRow,
        key_id=key_id,
        track=track,
        release_id=release_id,
        version_id=version_id,
        run_label_key=run_label_key,
    )
    return RunsOfKey(
        now=rows[0].now,
        active_job_id=next((row.job_id for row in rows if row.job_id is not None and row.state in ACTIVE), None),
        label_taken=rows[0].label_taken,
        past=tuple(_past_run(row) for row in rows if row.job_id is not None and row.of_release),
    )


def _past_run(row: _RunRow) -> PastRun:
    assert row.requested_at is not None
    return PastRun(
        mode=row.mode,
        requested_at=row.requested_at,
        first_add_at=row.first_add_at,
        ended_at=row.ended_at,
        state=row.state,
        failure=row.failure,
        unscored_by_platform=row.unscored_by_platform,
        cancelled_by_other=row.cancelled_by_other,
    )
