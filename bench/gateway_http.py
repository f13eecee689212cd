"""What one gateway process answers: status reads, job creations, and open progress streams."""

import asyncio
import itertools
import json
import time
from typing import Any

import httpx

from .gateway_home import BenchGateway, bench_gateway
from .http_load import Load, load, request_of
from .processes import read_usage

READS_IN_FLIGHT = (16, 48)
CREATIONS_IN_FLIGHT = (4, 8, 12)
SECONDS = 4.0
CREATIONS = 1200
STREAMS = 1000


def measure() -> dict[str, Any]:
    with bench_gateway() as gateway:
        return {
            "reads": [_reads(gateway, in_flight) for in_flight in READS_IN_FLIGHT],
            "creations": [_creations(gateway, in_flight) for in_flight in CREATIONS_IN_FLIGHT],
            "streams": asyncio.run(_streams(gateway)),
        }


def _reads(gateway: BenchGateway, in_flight: int) -> dict[str, Any]:
    """`GET /jobs/{job_id}` of 64 jobs by their 64 owners."""
    jobs = _create(gateway, gateway.admit(64))
    requests = [request_of("GET", gateway.host, f"/api/v1/jobs/{job}", key) for key, job in jobs]
    asyncio.run(load(gateway.port, itertools.cycle(requests), in_flight=in_flight, seconds=1.0, status=200))
    cpu = _cpu(gateway)
    found = asyncio.run(load(gateway.port, itertools.cycle(requests), in_flight=in_flight, seconds=SECONDS, status=200))
    return _shown(found, in_flight, _cpu(gateway) - cpu)


def _creations(gateway: BenchGateway, in_flight: int) -> dict[str, Any]:
    """`POST /jobs`, each by a participant of its own: one job a key and track is active."""
    orders = [_order(gateway, key, version) for key, version in gateway.admit(CREATIONS)]
    cpu = _cpu(gateway)
    found = asyncio.run(load(gateway.port, iter(orders), in_flight=in_flight, seconds=60.0, status=201))
    return _shown(found, in_flight, _cpu(gateway) - cpu)


async def _streams(gateway: BenchGateway) -> dict[str, Any]:
    """Memory and CPU of a process with so many streams, each on a job of its own, and how soon a change is told."""
    await asyncio.sleep(2.0)  # the orders of the creations leave
    before = read_usage({"gateway": gateway.pid})
    jobs = _create(gateway, gateway.admit(STREAMS))
    idle = read_usage({"gateway": gateway.pid})
    begun = time.perf_counter()
    opened = []
    for key, job in jobs:
        reader, writer = await asyncio.open_connection("127.0.0.1", gateway.port)
        writer.write(request_of("GET", gateway.host, f"/api/v1/jobs/{job}/events", key))
        opened.append((reader, writer))
    first = [await _event(reader) for reader, _ in opened]
    opening = time.perf_counter() - begun
    cpu = _cpu(gateway)
    await asyncio.sleep(5.0)
    quiet_cpu = (_cpu(gateway) - cpu) / 5.0
    usage = read_usage({"gateway": gateway.pid})
    key, job = jobs[-1]
    cancel = request_of("POST", gateway.host, f"/api/v1/jobs/{job}/cancel", key, b"{}")
    begun = time.perf_counter()
    await load(gateway.port, iter([cancel]), in_flight=1, seconds=5.0, status=200)
    told = await _event(opened[-1][0])
    latency = time.perf_counter() - begun
    for _, writer in opened:
        writer.close()
    return {
        "streams": sum(state == "queued" for state in first),
        "told": told,
        "rss_mb": usage.rss["gateway"] / 2**20,
        "rss_idle_mb": idle.rss["gateway"] / 2**20,
        "rss_before_mb": before.rss["gateway"] / 2**20,
        "opened_s": opening,
        "cpu_percent": 100 * quiet_cpu,
        "change_told_ms": 1000 * latency,
    }


async def _event(reader: asyncio.StreamReader) -> str:
    """The state in the next event."""
    async with asyncio.timeout(30):
        while True:
            line = await reader.readline()
            if not line:
                raise ConnectionError("the stream ended")
            if line.startswith(b"data: "):
                return str(json.loads(line.removeprefix(b"data: "))["state"])


def _create(gateway: BenchGateway, admitted: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """One job of each participant: (key, job id)."""
    created = []
    with httpx.Client(base_url=f"http://{gateway.host}/api/v1", timeout=30) as client:
        for key, version in admitted:
            reply = client.post("/jobs", json=_job(version), headers={"Authorization": f"Bearer {key}"})
            reply.raise_for_status()
            created.append((key, str(reply.json()["job_id"])))
    return created


def _job(version: str) -> dict[str, str]:
    return {"version_id": version, "mode": "smoke", "run_label": "bench"}


def _order(gateway: BenchGateway, key: str, version: str) -> bytes:
    return request_of("POST", gateway.host, "/api/v1/jobs", key, json.dumps(_job(version)).encode())


def _cpu(gateway: BenchGateway) -> float:
    return read_usage({"gateway": gateway.pid}).cpu["gateway"]


def _shown(found: Load, in_flight: int, cpu: float) -> dict[str, Any]:
    return {
        "in_flight": in_flight,
        "per_s": found.per_s,
        "p50_ms": found.p50_ms,
        "p99_ms": found.p99_ms,
        "worst_ms": found.worst_ms,
        "refused": found.refused,
        "cpu_ms": 1000 * cpu / max(1, found.answered),
    }
