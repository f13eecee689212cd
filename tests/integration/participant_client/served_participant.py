"""A participant's server on loopback, well-behaved or speaking raw bytes."""

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

Handler = Callable[[web.Request, bytes], Awaitable[web.StreamResponse]]


class Participant:
    """Answers each request with the next handler, and the last one for ever; keeps what it received."""

    def __init__(self, *handlers: Handler) -> None:
        self.handlers = handlers
        self.bodies: list[bytes] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.raw_paths: list[str] = []
        self.peers: set[Any] = set()

    async def handle(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        self.bodies.append(body)
        self.headers.append(dict(request.headers))
        self.paths.append(request.path)
        self.raw_paths.append(request.raw_path)
        assert request.transport is not None
        self.peers.add(request.transport.get_extra_info("peername"))
        return await self.handlers[min(len(self.bodies), len(self.handlers)) - 1](request, body)


def answers(value: Any = None, *, status: int = 200, body: bytes | None = None, **headers: str) -> Handler:
    async def handle(_: web.Request, __: bytes) -> web.StreamResponse:
        names = {name.replace("_", "-"): text for name, text in headers.items()}
        return web.Response(body=json.dumps(value).encode() if body is None else body, status=status, headers=names)

    return handle


@asynccontextmanager
async def serving(participant: Participant, tls: ssl.SSLContext | None = None) -> AsyncIterator[str]:
    app = web.Application(client_max_size=2**25)
    app.router.add_route("*", "/{path:.*}", participant.handle)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=tls).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@asynccontextmanager
async def raw(reply: bytes, *, pause: float = 0.0, drip: bytes = b"") -> AsyncIterator[str]:
    """Sends `reply` once a request's head has come, then `drip` byte by byte, then closes."""

    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(reply)
            for byte in drip:
                await writer.drain()
                await asyncio.sleep(pause)
                writer.write(bytes([byte]))
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(speak, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
