"""Health and metrics. They answer from the first moment on, also while the gateway still waits for its database."""

from typing import Any

from litestar import MediaType, Response, get
from prometheus_client import generate_latest

from aml.runtime.bus import Bus
from aml.runtime.evidence import EvidenceStore
from aml.runtime.readiness import Readiness

from .edge.injected import GivenParts
from .parts import Parts
from .storage.database import DATABASE_AWAY, Database
from .storage.outbox_queries import count_waiting

OUTBOX_ALARM = 10_000
"""Events that wait to be published; more means that the relay does not keep up or is stuck."""


@get("/health/live", include_in_schema=False)
async def live() -> dict[str, str]:
    return {"status": "live"}


@get("/health/ready", include_in_schema=False)
async def ready(parts: GivenParts) -> Response[dict[str, Any]]:
    problems = await find_problems(parts)
    return Response(
        {"status": "not ready" if problems else "ready", "problems": problems}, status_code=503 if problems else 200
    )


@get("/metrics", media_type=MediaType.TEXT, include_in_schema=False)
async def metrics() -> bytes:
    return generate_latest()


async def find_problems(parts: Parts) -> dict[str, str]:
    """Name of a check to what is wrong."""
    if not parts.ready.is_set():
        return {"start": "starting: waiting for the database and the broker"}
    return await parts.readiness.problems() | parts.halted


def make_readiness(database: Database, bus: Bus, evidence: EvidenceStore) -> Readiness:
    async def outbox_moves() -> str | None:
        try:
            async with database.read() as connection:
                waiting = await count_waiting(connection)
        except DATABASE_AWAY:
            return None  # the database's own check says so
        return f"{waiting} events wait to be published" if waiting > OUTBOX_ALARM else None

    return Readiness(
        {
            "database": database.check,
            "bus": bus.check_connected,
            "evidence": evidence.check_writable,
            "outbox": outbox_moves,
        }
    )
