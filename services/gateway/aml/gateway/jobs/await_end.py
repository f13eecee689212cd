"""A job that was ordered to end may have ended otherwise meanwhile: its seal says which, and nothing else does."""

import asyncio
from typing import Final

from aml.gateway.parts import Parts

from .job_queries import JobRow, load_watched_jobs

PATIENCE_SECONDS: Final = 2.0
"""The ledger seals within a fraction of a second; one that is away keeps nobody waiting for longer than this."""
_LOOK_EVERY_SECONDS: Final = 0.05


async def once_sealed(parts: Parts, job_ids: list[str]) -> list[JobRow]:
    """The jobs as they then stand. One that is not sealed in time is returned unsealed: how it ends is not known yet."""
    loop = asyncio.get_running_loop()
    until = loop.time() + PATIENCE_SECONDS
    while job_ids:
        async with parts.database.read() as connection:
            rows = await load_watched_jobs(connection, job_ids)
        if all(row.sealed for row in rows) or loop.time() >= until or parts.stopping.is_set():
            return rows
        await asyncio.sleep(_LOOK_EVERY_SECONDS)
    return []
