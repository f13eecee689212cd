"""A new job in the database, with the event that states it. Takes a connection, never commits."""

from functools import cache
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import Insert, LargeBinary, Select, cast, select
from sqlalchemy.dialects.postgresql import insert

from aml.gateway.storage.database import Connection
from aml.gateway.storage.statements import execute, fetch_value, given
from aml.gateway.storage.tables import job, outbox


class NewJob(Struct, frozen=True, kw_only=True):
    job_id: str
    key_id: str
    version_id: str
    mode: str
    arm: str
    track: str
    run_label: str
    run_label_key: str
    resumes: str | None
    release_id: str
    release_digest: str
    datasets: bytes
    """JSON."""
    add_concurrency: int
    search_concurrency: int
    endpoints_revision: int
    """Of the version: a smoke run counts for the endpoints that it called."""


@cache
def insert_job() -> Insert:
    """With its event, in one statement; a job that is not inserted has none."""
    new = (
        insert(job)
        .values({name: given(name) for name in NewJob.__struct_fields__})
        .on_conflict_do_nothing(constraint="job_run_label_once")
        .returning(job.c.job_id)
        .cte("new_job")
    )
    said = select(cast(given("event", LargeBinary()), LargeBinary)).select_from(new)
    return insert(outbox).from_select(["event"], said, include_defaults=False)


async def add_job(connection: Connection, new: NewJob, event: bytes) -> bool:
    """`event` leaves with the transaction, by the outbox. False when the version has a run whose label reads the same."""
    return (await execute(connection, insert_job(), event=event, **asdict(new))).rowcount == 1


@cache
def select_label_taken() -> Select[Any]:
    return select(
        select(job.c.job_id)
        .where(job.c.version_id == given("version_id"), job.c.run_label_key == given("run_label_key"))
        .exists()
    )


async def is_label_taken(connection: Connection, version_id: str, run_label_key: str) -> bool:
    return bool(await fetch_value(connection, select_label_taken(), version_id=version_id, run_label_key=run_label_key))
