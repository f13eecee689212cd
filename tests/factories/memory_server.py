"""A participant inside the test: a deterministic keyword memory behind Add and Search that remembers every request.

What it returns depends on a user's own messages and the query alone, never on time or on other users, so that two runs of
one dataset must end with the same score, whatever happened to the platform meanwhile.
"""

import asyncio
import re
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Self

import msgspec
from aiohttp import web

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Kept:
    memory_id: str
    content: str
    created_at: int | None
    words: frozenset[str]


@dataclass
class Calls:
    """The raw bodies of one kind of call, by what makes two of them the same call."""

    bodies: dict[str, list[bytes]] = field(default_factory=lambda: defaultdict(list))

    @property
    def total(self) -> int:
        return sum(map(len, self.bodies.values()))

    @property
    def distinct(self) -> int:
        return len(self.bodies)

    @property
    def repeated(self) -> dict[str, int]:
        """The calls that came more than once, and how often."""
        return {key: len(sent) for key, sent in self.bodies.items() if len(sent) > 1}

    @property
    def altered(self) -> list[str]:
        """The calls whose repetition was not the same bytes."""
        return [key for key, sent in self.bodies.items() if len(set(sent)) > 1]


class MemoryServer:
    """`delay_seconds` is how long each call takes. With `wrong_echo`, Add answers with another request's id."""

    def __init__(self, *, delay_seconds: float = 0.0, wrong_echo: bool = False) -> None:
        self.delay_seconds = delay_seconds
        self.wrong_echo = wrong_echo
        self.adds = Calls()
        self.searches = Calls()
        self._memories: dict[str, list[Kept]] = defaultdict(list)
        self._port = 0
        application = web.Application(client_max_size=64 * 1024 * 1024)
        application.add_routes(
            [web.post("/add", self._add), web.post("/search", self._search), web.get("/health", _healthy)]
        )
        self._runner = web.AppRunner(application, access_log=None, handle_signals=False)
        self._site: web.TCPSite | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        await self.come_up()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    async def come_up(self) -> None:
        """Listens, at the port it had before."""
        self._site = web.TCPSite(self._runner, "127.0.0.1", self._port, reuse_address=True)
        await self._site.start()
        self._port = self._runner.addresses[0][1]

    async def go_down(self) -> None:
        """Closes the listening socket and cuts every connection. Calls under way take effect and are never answered."""
        assert self._site is not None
        await self._site.stop()
        self._site = None
        assert self._runner.server is not None
        for connection in self._runner.server.connections:
            if connection.transport is not None:
                connection.transport.abort()

    async def reached(self, *, adds: int = 0, searches: int = 0, within_seconds: float = 60.0) -> None:
        """Returns once so many different calls have come. Raises `TimeoutError`."""
        async with asyncio.timeout(within_seconds):
            while self.adds.distinct < adds or self.searches.distinct < searches:
                await asyncio.sleep(0.005)

    async def _add(self, request: web.Request) -> web.Response:
        body = await request.read()
        order = msgspec.json.decode(body)
        request_id, user_id = order["request_id"], order["user_id"]
        known = request_id in self.adds.bodies
        self.adds.bodies[request_id].append(body)
        if not known:
            self._memories[user_id] += [
                _kept(f"{request_id}#{position}", message) for position, message in enumerate(order["messages"])
            ]
        await asyncio.sleep(self.delay_seconds)
        return web.json_response(
            {
                "success": True,
                "request_id": "somebody-else's" if self.wrong_echo else request_id,
                "user_id": user_id,
                "session_id": order["session_id"],
            }
        )

    async def _search(self, request: web.Request) -> web.Response:
        body = await request.read()
        order = msgspec.json.decode(body)
        self.searches.bodies[f"{order['user_id']} {order['query']}"].append(body)
        found = self._ranked(order["user_id"], order["query"])[: min(order["top_k"], 10)]
        await asyncio.sleep(self.delay_seconds)
        return web.json_response(
            {"data": [{"id": each.memory_id, "content": each.content, "created_at": each.created_at} for each in found]}
        )

    def _ranked(self, user_id: str, query: str) -> list[Kept]:
        wanted = _words(query)
        scored = [(len(wanted & each.words), each) for each in self._memories.get(user_id, [])]
        scored.sort(key=lambda one: (-one[0], one[1].memory_id))
        return [each for shared, each in scored if shared]


@asynccontextmanager
async def memory_server(**options: Any) -> AsyncIterator[MemoryServer]:
    async with MemoryServer(**options) as server:
        yield server


async def _healthy(_: web.Request) -> web.Response:
    return web.json_response({"status": "ok"})


def _kept(memory_id: str, message: dict[str, Any]) -> Kept:
    content = f"{message['role']}: {message['content']}"
    return Kept(memory_id, content, message.get("timestamp"), _words(content))


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))
