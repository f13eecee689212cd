"""A Litestar application whose agent's memory is checked while it serves: GET /health/memory, and GET /metrics for Prometheus.

pip install "agent-memory-leaderboard[toolkit]"
litestar --app litestar_app:app run
"""

from datetime import timedelta
from typing import Any

from diary import DIARIES, Diary
from litestar import Litestar, MediaType, Response, get, post
from litestar.params import FromPath, JSONBody
from prometheus_client import CollectorRegistry, generate_latest

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


def make_app(check: MemoryHealthCheck, registry: CollectorRegistry = REGISTRY) -> Litestar:
    @post("/ask/{user:str}")
    async def ask(user: FromPath[str], data: JSONBody[dict[str, str]]) -> dict[str, str]:
        return {"answer": DIARIES[user].ask(data["message"])}

    @get("/health/memory")
    async def memory() -> Response[dict[str, Any]]:
        """Never measures, so that a load balancer may ask as often as it likes. Only `unhealthy` is a failure."""
        report = check.report()
        return Response(report.to_dict(), status_code=503 if report.status == "unhealthy" else 200)

    @get("/metrics", media_type=MediaType.TEXT)
    async def metrics() -> bytes:
        return generate_latest(registry)

    return Litestar([ask, memory, metrics], lifespan=[lambda _app: check.scheduled()])


app = make_app(make_check())
