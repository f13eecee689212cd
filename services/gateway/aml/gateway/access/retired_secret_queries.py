"""Memory system keys that wait for their destruction. Takes a connection, never commits."""

from functools import cache
from typing import Any

from sqlalchemy import Delete, Insert, Select, delete, select
from sqlalchemy.dialects.postgresql import insert

from aml.gateway.storage.database import Connection
from aml.gateway.storage.statements import execute, fetch_column, given
from aml.gateway.storage.tables import job, retired_secret

_ACTIVE = ("queued", "running")


@cache
def insert_retired() -> Insert:
    return insert(retired_secret).values({name: given(name) for name in ("secret_id", "version_id")})


async def retire_secret(connection: Connection, secret_id: str | None, *, version_id: str | None) -> None:
    """`version_id` is None where no job can have used it."""
    if secret_id is not None:
        await execute(connection, insert_retired(), secret_id=secret_id, version_id=version_id)


@cache
def select_unused() -> Select[Any]:
    """A job that was requested before the key was replaced may still send it, as long as it is active."""
    in_use = (
        select(job.c.job_id)
        .where(
            job.c.version_id == retired_secret.c.version_id,
            job.c.state.in_(_ACTIVE),
            job.c.requested_at <= retired_secret.c.retired_at,
        )
        .exists()
    )
    return select(retired_secret.c.secret_id).where(~in_use).order_by(retired_secret.c.retired_at).limit(given("limit"))


async def load_unused(connection: Connection, limit: int) -> list[str]:
    return await fetch_column(connection, select_unused(), limit=limit)


@cache
def delete_retired() -> Delete:
    return delete(retired_secret).where(retired_secret.c.secret_id == given("secret_id"))


async def forget_secret(connection: Connection, secret_id: str) -> None:
    await execute(connection, delete_retired(), secret_id=secret_id)
