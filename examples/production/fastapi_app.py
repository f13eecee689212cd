"""A FastAPI application whose agent's memory is checked while it serves: GET /health/memory, and GET /metrics for Prometheus.

pip install "agent-memory-leaderboard[toolkit]" "fastapi[standard]"
fastapi run fastapi_app.py
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

from diary import DIARIES, Diary
from fastapi import FastAPI, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

from aml.toolkit import AgentFactory
from aml.toolkit.health import MemoryHealthCheck, Schedule, Thresholds

REGISTRY = CollectorRegistry()


def make_check(registry: CollectorRegistry = REGISTRY) -> MemoryHealthCheck:
    """The suite's own diaries, not a user's: the factory makes them."""
    return MemoryHealthCheck(
        AgentFactory(make=Diary, name="diary"),
        mode="live",
        thresholds=Thresholds(healthy=60, degraded=20, categories={"basic_retention": 40}),
        schedule=Schedule(every=timedelta(hours=12)),
        registry=registry,
    )


def make_app(check: MemoryHealthCheck, registry: CollectorRegistry = REGISTRY) -> FastAPI:
    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        async with check.scheduled():
            yield

    app = FastAPI(lifespan=lifespan)

    @app.post("/ask/{user}")
    async def ask(user: str, data: dict[str, str]) -> dict[str, str]:
        return {"answer": DIARIES[user].ask(data["message"])}

    @app.get("/health/memory")
    async def memory(response: Response) -> dict[str, Any]:
        """Never measures, so that a load balancer may ask as often as it likes. Only `unhealthy` is a failure."""
        report = check.report()
        response.status_code = 503 if report.status == "unhealthy" else 200
        return report.to_dict()

    @app.get("/metrics")
    async def metrics() -> Response:
        return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)

    return app


app = make_app(make_check())
