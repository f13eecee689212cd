"""A local stack as a fault test sees it: processes to kill, probes to ask, and the gateway's API."""

import asyncio
import os
import signal
import time
import uuid
from dataclasses import dataclass
from typing import Any

import httpx
import psutil
import pytest
from msgspec.structs import replace
from tests.e2e.log_reading import read_decided_log, read_log
from tests.factories.memory_server import MemoryServer

from aml.contracts.seals import JobResult, Latencies
from aml.gateway.access.bodies import Endpoints
from aml.gateway.jobs.views import Job
from aml.gateway.operations.bodies import RunDataset, RunOrder
from aml.gateway.results.views import Results
from aml.rules.entry import ReadEntry
from aml.runtime.bus import Bus
from aml.runtime.release_folder import find_release, load_release
from aml.runtime.settings import NatsSettings
from aml.toolkit.local import LocalStack, StackInfo
from aml.toolkit.local.state import ProcessState, StackState, read_live_state
from aml.toolkit.platform import Platform, PlatformRefused

PRACTICE = load_release(find_release("practice")).release
FULL = PRACTICE.datasets[0]
SMOKE = PRACTICE.smoke_datasets[0]

_NO_CALLS = Latencies(calls=0, p50=None, p95=None, p99=None)


def dataset_of(pinned: Any, **changes: Any) -> RunDataset:
    values = {name: getattr(pinned, name) for name in ("name", "adapter", "version", "sha256")}
    return RunDataset(**(values | changes))


@dataclass(frozen=True)
class RunningStack:
    stack: LocalStack
    info: StackInfo

    @property
    def operator_key(self) -> str:
        return self.info.operator_key_file.read_text().strip()

    def address(self, service: str) -> str:
        return f"http://127.0.0.1:{self.info.ports[service]}"

    async def log(self) -> list[ReadEntry]:
        return await read_log(self.address("ledger"), self.stack.layout.verifier_file)

    async def decided_log(self, job_id: str) -> list[ReadEntry]:
        return await read_decided_log(self.address("ledger"), self.stack.layout.verifier_file, job_id)

    def platform(self) -> Platform:
        return Platform(self.info.portal, self.operator_key, patience_seconds=30.0)

    def bus(self, name: str) -> Bus:
        """Not connected yet."""
        addresses = self.info.addresses
        return Bus(NatsSettings(url=addresses.nats_url, token_file=addresses.nats_token_file), name=name)

    def pid(self, name: str) -> int:
        identity = self._process(name).identity
        assert identity is not None, f"{name} does not run"
        return identity.pid

    def send(self, name: str, what: signal.Signals) -> int:
        """Returns the id of the process that got the signal."""
        pid = self.pid(name)
        os.kill(pid, what)
        return pid

    def family(self, name: str) -> list[psutil.Process]:
        """The process and its children: Postgres answers from a child a connection."""
        parent = psutil.Process(self.pid(name))
        return [parent, *parent.children(recursive=True)]

    async def came_back(self, name: str, *, after: int, within_seconds: float = 30.0) -> None:
        """Returns once another process than `after` is ready in its place."""
        deadline = time.monotonic() + within_seconds
        while True:
            process = self._process(name)
            if process.identity is not None and process.identity.pid != after and process.state == "ready":
                return
            assert time.monotonic() < deadline, f"{name} did not come back: {process}"
            await asyncio.sleep(0.05)

    async def readiness(self, service: str) -> tuple[int, dict[str, str]]:
        """The probe's status and the problems that it names."""
        async with httpx.AsyncClient(trust_env=False, timeout=10.0) as http:
            answer = await http.get(f"{self.address(service)}/health/ready")
        return answer.status_code, answer.json()["problems"]

    async def wait_for_readiness(self, service: str, status: int, *, within_seconds: float = 20.0) -> dict[str, str]:
        deadline = time.monotonic() + within_seconds
        while True:
            found, problems = await self.readiness(service)
            if found == status:
                return problems
            assert time.monotonic() < deadline, f"{service} answers {found} {problems}, not {status}"
            await asyncio.sleep(0.1)

    def _process(self, name: str) -> ProcessState:
        state: StackState | None = read_live_state(self.stack.layout)
        assert state is not None, "the stack does not run"
        return state.processes[name]


def run_order(server: MemoryServer, *, dataset: RunDataset, add_concurrency: int = 4, **changes: Any) -> RunOrder:
    endpoints = Endpoints(
        add_url=f"{server.url}/add", search_url=f"{server.url}/search", health_url=f"{server.url}/health"
    )
    values: dict[str, Any] = {
        "system": "keyword-memory",
        "endpoints": endpoints,
        "datasets": (dataset,),
        "release_id": "practice",
        "run_label": f"fault-{uuid.uuid4().hex[:10]}",
        "add_concurrency": add_concurrency,
        "search_concurrency": 8,
        "allow_private": True,
    }
    return RunOrder(**(values | changes))


async def ended(platform: Platform, job_id: str, *, within_seconds: float = 90.0) -> Results:
    """What the gate found, once it has decided."""
    deadline = time.monotonic() + within_seconds
    while True:
        try:
            return await platform.results(job_id)
        except PlatformRefused as error:
            if error.reason != "results_not_ready":
                raise
            if time.monotonic() > deadline:
                pytest.fail(f"not decided after {within_seconds} s: {await platform.job(job_id)}")
        await asyncio.sleep(0.05)


async def caught_up(platform: Platform, job_id: str, *, within_seconds: float = 20.0) -> Job:
    """The gateway's view of a job, once it holds the whole of it."""
    deadline = time.monotonic() + within_seconds
    while not ((job := await platform.job(job_id)).sealed and job.gate is not None):
        assert time.monotonic() < deadline, f"not sealed after {within_seconds} s: {job}"
        await asyncio.sleep(0.05)
    return job


def what_counts(result: JobResult) -> JobResult:
    """A result without what a fault may change: how long calls took, and how often they were repeated."""
    return replace(result, add=_NO_CALLS, search=_NO_CALLS, retries=0)
