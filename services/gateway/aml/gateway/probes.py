"""Health and metrics. They answer from the first moment on, also while the gateway still waits for its database."""

import asyncio
from typing import Any

from litestar import MediaType, Response, get
from prometheus_client import generate_latest

from .database import DATABASE_AWAY
from .injected import GivenParts
from .outbox import count_waiting
from .parts import Parts

CHECK_SECONDS = 3.0
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
    """Name of a check to what is wrong. All are asked at once; each has three seconds."""
    if not parts.ready.is_set():
        return {"start": "starting: waiting for the database and the broker"}
    checks = {
        "database": parts.database.check(),
        "bus": _bus(parts),
        "evidence": parts.evidence.check_writable(),
        "outbox": _outbox(parts),
    }
    answers = await asyncio.gather(
        *(asyncio.wait_for(check, CHECK_SECONDS) for check in checks.values()), return_exceptions=True
    )
    problems = {}
    for name, answer in zip(checks, answers, strict=True):
        if isinstance(answer, TimeoutError):
            problems[name] = f"no answer within {CHECK_SECONDS:.0f} s"
        elif isinstance(answer, BaseException):
            raise answer
        elif answer is not None:
            problems[name] = answer
    return problems


async def _bus(parts: Parts) -> str | None:
    return None if parts.bus.connected else "the broker is unreachable"


async def _outbox(parts: Parts) -> str | None:
    try:
        async with parts.database.read() as connection:
            waiting = await count_waiting(connection)
    except DATABASE_AWAY:
        return None  # the database's own check says so
    return f"{waiting} events wait to be published" if waiting > OUTBOX_ALARM else None
