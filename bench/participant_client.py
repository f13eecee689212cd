"""What a call through the participant client costs, beside the same calls made with bare aiohttp and bare httpx.

The server is another process that does no work. All three clients send the same bytes, 64 at a time, over kept connections,
and the answer is read to its end; only the platform's client checks it. CPU is this process's own.
"""

import asyncio
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from statistics import median
from typing import Any

import aiohttp
import httpx
import msgspec
import uvloop

from aml.contracts.participant import AddRequest, Message, ParticipantTarget, SearchRequest
from aml.contracts.release import RetryPolicy
from aml.runtime.participant import ParticipantClient
from aml.runtime.secret import Secret

IN_FLIGHT = 64
CALLS = 4_000
HTTPX_CALLS = 600
ROUNDS = 3
ITEMS = 10
MESSAGES = 20

_KEY = "bench-key"
_ADD = AddRequest(
    request_id="eval:bench:practice:conv-0:chunk-0",
    messages=tuple(
        Message(role="user", content="I moved the blue bicycle into the shed before the rain. " * 4, timestamp=n)
        for n in range(MESSAGES)
    ),
    user_id="eval:bench:practice:conv-0",
    session_id="eval:bench:conv-0:1",
)
_SEARCH = SearchRequest(query="Where is the blue bicycle?", user_id="eval:bench:practice:conv-0", top_k=100)
_HEADERS = {"Content-Type": "application/json", "Authorization": f"Bearer {_KEY}"}

Call = Callable[[], Awaitable[object]]


def measure() -> dict[str, Any]:
    with _server() as base:
        rounds = [uvloop.run(_round(base)) for _ in range(ROUNDS)]
    return {
        "in_flight": IN_FLIGHT,
        "items": ITEMS,
        "messages": MESSAGES,
        **{name: median(each[name] for each in rounds) for name in rounds[0]},
    }


@contextmanager
def _server() -> Iterator[str]:
    command = [sys.executable, "-m", "bench.echo_server", str(ITEMS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
        finally:
            process.terminate()


async def _round(base: str) -> dict[str, float]:
    figures: dict[str, float] = {}
    target = ParticipantTarget(add_url=f"{base}/add", search_url=f"{base}/search", auth="bearer")
    client = ParticipantClient(
        target, secret=Secret(_KEY), policy=RetryPolicy(), allow_private=True, schemes=("http",), chance=lambda: 0.5,
        add_concurrency=IN_FLIGHT, search_concurrency=IN_FLIGHT,
    )  # fmt: skip
    bodies = {"add": msgspec.json.encode(_ADD), "search": msgspec.json.encode(_SEARCH)}
    async with (
        client,
        aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=IN_FLIGHT)) as bare,
        httpx.AsyncClient(limits=httpx.Limits(max_connections=IN_FLIGHT), trust_env=False) as other,
    ):

        def through_aiohttp(path: str) -> Call:
            async def call() -> bytes:
                async with bare.post(f"{base}/{path}", data=bodies[path], headers=_HEADERS) as response:
                    return await response.read()

            return call

        def through_httpx(path: str) -> Call:
            return lambda: other.post(f"{base}/{path}", content=bodies[path], headers=_HEADERS)

        for name, calls, add, search in (
            ("client", CALLS, lambda: client.add(_ADD), lambda: client.search(_SEARCH)),
            ("aiohttp", CALLS, through_aiohttp("add"), through_aiohttp("search")),
            ("httpx", HTTPX_CALLS, through_httpx("add"), through_httpx("search")),
        ):
            for kind, call in (("add", add), ("search", search)):
                await _many(call, IN_FLIGHT * 2)
                cpu, clock = time.process_time(), time.perf_counter()
                await _many(call, calls)
                figures[f"{name}_{kind}_cpu_ms"] = 1e3 * (time.process_time() - cpu) / calls
                figures[f"{name}_{kind}_per_s"] = calls / (time.perf_counter() - clock)
    return figures


async def _many(call: Call, calls: int) -> None:
    left = iter(range(calls))

    async def line() -> None:
        for _ in left:
            await call()

    await asyncio.gather(*(line() for _ in range(IN_FLIGHT)))
