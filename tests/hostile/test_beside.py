"""A job beside a hostile one keeps its pace: both clients in one loop, as in a worker, each server in its own process."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import pytest
from tests.hostile.calling import LARGE, SEARCH, SMALL, a_client

from aml.runtime.participant import ParticipantClient, ParticipantError

# One after the other in one process: two of these at a time would measure each other.
pytestmark = pytest.mark.xdist_group("hostile-beside")

ROOT = Path(__file__).resolve().parents[2]
WINDOW_SECONDS = 0.3
ROUNDS = 3
IN_FLIGHT, HOSTILE_IN_FLIGHT = 16, 4


# What each ends in, call for call; None: in nothing within a window.
HEAVY = {
    "endless chunks": "limit",
    "gzip bomb": "http",
    "a million items": "limit",
    "a million keys": "limit",
    "100,000 objects deep": "limit",
    "slow body": None,
    "giant": "ok",
}


@contextmanager
def process(*names: str) -> Iterator[dict[str, str]]:
    """The addresses of `names`, served elsewhere."""
    command = [sys.executable, "-m", "tests.hostile.hostile_server", *names]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as served:
        assert served.stdout is not None
        try:
            yield json.loads(served.stdout.readline())
        finally:
            served.kill()


@pytest.fixture(scope="module")
def addresses() -> Iterator[dict[str, str]]:
    """`unhurried` answers after 10 ms."""
    with process("unhurried") as honest, process(*HEAVY) as hostile:
        yield honest | hostile


async def answered(client: ParticipantClient) -> int:
    """Calls answered within a window."""
    until = time.perf_counter() + WINDOW_SECONDS
    count = 0

    async def line() -> None:
        nonlocal count
        while time.perf_counter() < until:
            await client.search(SEARCH)
            count += 1

    await asyncio.gather(*(line() for _ in range(IN_FLIGHT)))
    return count


async def pester(client: ParticipantClient, ends: list[str]) -> None:
    while True:
        try:
            await client.search(SEARCH)
            ends.append("ok")
        except ParticipantError as error:
            ends.append(error.layer)
            await asyncio.sleep(0.01)  # a job stops at its first such end; this one begins anew


@pytest.mark.parametrize(("name", "end"), HEAVY.items())
async def test_the_other_job_keeps_its_pace(addresses: dict[str, str], name: str, end: str | None) -> None:
    limits = LARGE if name.startswith(("a million", "giant")) else SMALL
    async with a_client(addresses["unhurried"]) as honest, a_client(addresses[name], limits=limits) as hostile:
        ends: list[str] = []
        alone, beside = [], []
        for _ in range(ROUNDS):
            alone.append(await answered(honest))
            pests = [asyncio.create_task(pester(hostile, ends)) for _ in range(HOSTILE_IN_FLIGHT)]
            beside.append(await answered(honest))
            async with asyncio.timeout(30):
                while end and not ends:
                    await asyncio.sleep(0.01)
            for each in pests:
                each.cancel()
            await asyncio.gather(*pests, return_exceptions=True)

    assert set(ends) == ({end} if end else set()), "it did what it is here for"
    assert median(beside) >= 0.5 * median(alone), (alone, beside)
