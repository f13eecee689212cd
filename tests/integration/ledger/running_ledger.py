"""A whole ledger in this process, and a client of its reading interface."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
from tests.integration.ledger.stored_log import eventually

from aml.ledger.bootstrap import run_ledger
from aml.ledger.settings import LedgerSettings


@contextlib.asynccontextmanager
async def running(settings: LedgerSettings) -> AsyncIterator["Client"]:
    stop = asyncio.Event()
    task = asyncio.create_task(run_ledger(settings, stop))
    async with aiohttp.ClientSession(f"http://127.0.0.1:{settings.http.port}") as http:
        client = Client(http)
        try:
            await eventually(lambda: client.is_ready(task))
            yield client
        finally:
            stop.set()
            await task


class Client:
    def __init__(self, http: aiohttp.ClientSession) -> None:
        self._http = http

    async def is_ready(self, task: asyncio.Task[None]) -> bool:
        if task.done():
            task.result()
        try:
            return await self.status("/health/ready") == 200
        except aiohttp.ClientConnectionError:
            return False

    async def status(self, path: str) -> int:
        async with self._http.get(path) as response:
            return response.status

    async def text(self, path: str) -> str:
        async with self._http.get(path) as response:
            assert response.status == 200, await response.text()
            return await response.text()

    async def json(self, path: str) -> Any:
        async with self._http.get(path) as response:
            assert response.status == 200, await response.text()
            return await response.json()

    async def lines(self, path: str) -> list[bytes]:
        return (await self.text(path)).encode().splitlines()


async def shows(client: Client, note: str) -> bool:
    """The public file follows the database's record in a moment."""
    return await client.status("/checkpoint") == 200 and await client.text("/checkpoint") == note


async def appended(client: Client, size: int) -> bool:
    return len(await client.lines("/log/entries?count=1000")) >= size


async def has(client: Client, size: int) -> bool:
    if await client.status("/log/checkpoint") != 200:
        return False
    return int((await client.text("/log/checkpoint")).split("\n")[1]) >= size
