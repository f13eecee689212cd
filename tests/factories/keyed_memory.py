"""A participant that wants its key: Add and Search answer 401 without it. It remembers who called with what."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web


@dataclass
class KeyedMemory:
    key: str
    url: str = ""
    delay_seconds: float = 0.0
    calls: list[tuple[str, str | None]] = field(default_factory=list)
    """Path and `Authorization` of each request."""
    users: set[str] = field(default_factory=set)

    @property
    def endpoints(self) -> dict[str, str]:
        return {f"{name}_url": f"{self.url}/{name}" for name in ("add", "search", "health")}

    async def answer(self, request: web.Request) -> web.Response:
        self.calls.append((request.path, request.headers.get("Authorization")))
        await asyncio.sleep(self.delay_seconds)
        if request.path == "/health":
            return web.Response(status=204)
        if request.headers.get("Authorization") != f"Bearer {self.key}":
            return web.json_response({"error": "wrong key"}, status=401)
        body: dict[str, Any] = await request.json()
        self.users.add(body["user_id"])
        if request.path == "/search":
            return web.json_response({"data": []})
        return web.json_response(
            {"success": True} | {name: body[name] for name in ("request_id", "user_id", "session_id")}
        )


@asynccontextmanager
async def keyed_memory(key: str, *, delay_seconds: float = 0.0) -> AsyncIterator[KeyedMemory]:
    memory = KeyedMemory(key, delay_seconds=delay_seconds)
    application = web.Application()
    application.add_routes(
        [web.post("/add", memory.answer), web.post("/search", memory.answer), web.get("/health", memory.answer)]
    )
    runner = web.AppRunner(application, access_log=None, handle_signals=False, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        memory.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield memory
    finally:
        await runner.cleanup()
