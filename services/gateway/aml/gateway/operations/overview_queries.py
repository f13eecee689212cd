"""What an operator sees at a glance, in the database. Takes a connection, never commits."""

from functools import cache
from typing import Any, Final

from sqlalchemy import Select, func, select

from aml.gateway.jobs.job_queries import ACTIVE
from aml.gateway.storage.database import Connection
from aml.gateway.storage.statements import fetch_all, fetch_value
from aml.gateway.storage.tables import access_request, api_key, job, job_progress, parked, system_version

from .views import KeyCount, OpenJob, StateCount

MAX_JOBS: Final = 200


@cache
def select_state_counts() -> Select[Any]:
    return select(job.c.state, func.count().label("count")).group_by(job.c.state).order_by(job.c.state)


async def count_states(connection: Connection) -> list[StateCount]:
    return await fetch_all(connection, select_state_counts(), StateCount)


@cache
def select_open_jobs() -> Select[Any]:
    ended = job_progress.c.correct + job_progress.c.incorrect + job_progress.c.graded + job_progress.c.unscored
    return (
        select(
            *job.c["job_id", "key_id"],
            api_key.c.label.label("organisation"),
            *system_version.c["system", "version"],
            *job.c["track", "mode", "arm", "release_id", "state", "requested_at"],
            job_progress.c.questions,
            ended.label("ended"),
            *job_progress.c["parked", "last_at"],
        )
        .select_from(
            job.join(system_version, system_version.c.version_id == job.c.version_id)
            .join(api_key, api_key.c.key_id == job.c.key_id)
            .outerjoin(job_progress, job_progress.c.job_id == job.c.job_id)
        )
        .where(job.c.state.in_(ACTIVE))
        .order_by(job.c.requested_at, job.c.job_id)
        .limit(MAX_JOBS)
    )


async def load_open_jobs(connection: Connection) -> list[OpenJob]:
    return await fetch_all(connection, select_open_jobs(), OpenJob)


@cache
def select_key_counts() -> Select[Any]:
    claimed, revoked = api_key.c.hash.is_not(None), api_key.c.revoked_at.is_not(None)
    return (
        select(
            api_key.c.role,
            func.count().filter(claimed, ~revoked).label("active"),
            func.count().filter(~claimed, ~revoked).label("unclaimed"),
            func.count().filter(revoked).label("revoked"),
        )
        .group_by(api_key.c.role)
        .order_by(api_key.c.role)
    )


async def count_keys(connection: Connection) -> list[KeyCount]:
    return await fetch_all(connection, select_key_counts(), KeyCount)


@cache
def select_parked_count() -> Select[Any]:
    return select(func.count()).select_from(parked).where(parked.c.requeued_at.is_(None))


async def count_parked(connection: Connection) -> int:
    return int(await fetch_value(connection, select_parked_count()))


@cache
def select_open_requests() -> Select[Any]:
    return select(func.count()).select_from(access_request).where(access_request.c.state == "submitted")


async def count_open_requests(connection: Connection) -> int:
    return int(await fetch_value(connection, select_open_requests()))
