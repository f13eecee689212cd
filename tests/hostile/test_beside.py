"""A job beside a hostile one keeps its pace: both clients in one loop, as in a worker, each server in its own process."""

import asyncio
import fcntl
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.hostile.calling import LARGE, SEARCH, SMALL, a_client

from aml.runtime.participant import ParticipantClient, ParticipantError

ROOT = Path(__file__).resolve().parents[2]
WINDOW_SECONDS = 0.3
LEAST_ROUNDS, MOST_ROUNDS = 2, 8
NEXT_JOB_SECONDS = 0.25
"""A job ends at its first contract error: so soon does the next one come here, in each of the lines."""
IN_FLIGHT, HOSTILE_IN_FLIGHT = 16, 2


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


@pytest.fixture(autouse=True)
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One after the other, whichever worker runs them: two of these at a time would measure each other."""
    shared = tmp_path_factory.getbasetemp().parent / "hostile-beside.lock"
    with shared.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


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


def keeps_pace(beside: list[int], undisturbed: list[int]) -> bool:
    """By the best windows of each: what else runs on this machine only takes away."""
    return max(beside) >= 0.5 * max(undisturbed)


async def pester(client: ParticipantClient, ends: list[str]) -> None:
    while True:
        try:
            await client.search(SEARCH)
            ends.append("ok")
        except ParticipantError as error:
            ends.append(error.layer)
            await asyncio.sleep(NEXT_JOB_SECONDS)


@pytest.mark.parametrize(("name", "end"), HEAVY.items())
async def test_the_other_job_keeps_its_pace(addresses: dict[str, str], name: str, end: str | None) -> None:
    limits = LARGE if name.startswith(("a million", "giant")) else SMALL
    async with a_client(addresses["unhurried"]) as honest, a_client(addresses[name], limits=limits) as hostile:
        ends: list[str] = []
        undisturbed, beside = [], []
        for number in range(1, MOST_ROUNDS + 1):
            undisturbed.append(await answered(honest))
            pests = [asyncio.create_task(pester(hostile, ends)) for _ in range(HOSTILE_IN_FLIGHT)]
            beside.append(await answered(honest))
            async with asyncio.timeout(30):
                while end and not ends:
                    await asyncio.sleep(0.01)
            for each in pests:
                each.cancel()
            await asyncio.gather(*pests, return_exceptions=True)
            if number >= LEAST_ROUNDS and keeps_pace(beside, undisturbed):
                break

    assert set(ends) == ({end} if end else set()), "it did what it is here for"
    assert keeps_pace(beside, undisturbed), (undisturbed, beside)
