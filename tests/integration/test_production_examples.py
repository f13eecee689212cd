"""The applications of examples/production, asked as a load balancer and Prometheus ask them."""

import importlib
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from types import ModuleType
from typing import Any

import pytest
from litestar.testing import TestClient as LitestarClient
from prometheus_client import CollectorRegistry
from tests.architecture.source_tree import ROOT
from tests.factories.suite_results import a_question, a_result

from aml.toolkit.health import MemoryHealthCheck
from aml.toolkit.results import SuiteResult

FOLDER = str(ROOT / "examples" / "production")
PROGRAMS = ("litestar_app", "fastapi_app")


@pytest.fixture(params=PROGRAMS)
def program(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(FOLDER)
    yield importlib.import_module(request.param)
    for name in (*PROGRAMS, "diary"):
        sys.modules.pop(name, None)


def client_of(program: ModuleType, score: float) -> AbstractContextManager[Any]:
    async def evaluate() -> SuiteResult:
        return a_result([a_question("basic_retention", score)])

    registry = CollectorRegistry()
    check = MemoryHealthCheck(program.Diary(), evaluate=evaluate, registry=registry)
    app = program.make_app(check, registry)
    if program.__name__ == "litestar_app":
        return LitestarClient(app)
    from starlette.testclient import TestClient as StarletteClient

    return StarletteClient(app)


def within_seconds(seconds: float, found: Callable[[], bool]) -> None:
    deadline = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize(("score", "status", "code"), [(100.0, "healthy", 200), (10.0, "unhealthy", 503)])
def test_the_memory_is_checked_while_it_serves(program: ModuleType, score: float, status: str, code: int) -> None:
    with client_of(program, score) as client:
        within_seconds(5, lambda: client.get("/health/memory").json()["status"] != "unknown")
        answer = client.get("/health/memory")
        assert (answer.status_code, answer.json()["status"]) == (code, status)
        assert f'aml_memory_health_status{{agent="Diary",status="{status}"}} 1.0' in client.get("/metrics").text


def test_the_users_diaries_are_not_the_checks(program: ModuleType) -> None:
    with client_of(program, 100.0) as client:
        client.post("/ask/mira", json={"message": "My locker is number 4417."})
        assert "4417" in client.post("/ask/mira", json={"message": "Which number is my locker?"}).json()["answer"]
        assert "4417" not in client.post("/ask/otto", json={"message": "Which number is my locker?"}).json()["answer"]


def test_what_they_check_is_an_agent_that_the_suite_can_run(program: ModuleType) -> None:
    """`mode='live'` needs one that forgets and begins sessions: refused before the first call, if at all."""
    check = program.make_check(CollectorRegistry())
    assert check.name == "diary"
    assert check.report().status == "unknown"
