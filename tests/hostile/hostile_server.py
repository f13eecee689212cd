"""A participant that misbehaves: raw bytes over raw connections, one behaviour at a time.

`python -m tests.hostile.hostile_server NAME …` serves these from a process of its own and prints their addresses as JSON.
"""

import asyncio
import contextlib
import json
import re
import socket
import ssl
import struct
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


@dataclass
class Exchange:
    """One request as it came, and the connection to answer on."""

    head: bytes
    body: bytes
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    @property
    def sent(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.body) if self.body else {}
        return value

    @property
    def path(self) -> str:
        return self.head.split(b" ", 2)[1].decode()

    async def write(self, data: bytes) -> None:
        if self.writer.is_closing():
            raise ConnectionResetError  # uvloop's transports say it with a RuntimeError
        self.writer.write(data)
        await self.writer.drain()

    def reset(self) -> None:
        """RST instead of FIN."""
        sock = self.writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()


Speak = Callable[[Exchange], Awaitable[bool | None]]
"""Answers one request. True: the connection goes on."""


@dataclass
class HostileServer:
    speak: Speak
    heads: list[bytes] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    base: str = ""
    unread: bool = False
    """Speak at once, whatever was said."""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # What a client does to a hostile server is the hostile server's own fault.
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError):
            while await self._exchange(reader, writer):
                pass
        with contextlib.suppress(ConnectionError, OSError):
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        if self.unread:
            return bool(await self.speak(Exchange(b"", b"", reader, writer)))
        head = await reader.readuntil(b"\r\n\r\n")
        self.heads.append(head)
        length = _LENGTH.search(head)
        body = await reader.readexactly(int(length[1])) if length else b""
        self.bodies.append(body)
        return bool(await self.speak(Exchange(head, body, reader, writer)))


@asynccontextmanager
async def hostile(
    speak: Speak, tls: ssl.SSLContext | None = None, *, unread: bool = False
) -> AsyncIterator[HostileServer]:
    served = HostileServer(speak, unread=unread)
    tasks: set[asyncio.Task[None]] = set()
    writers: list[asyncio.StreamWriter] = []

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        writers.append(writer)
        with contextlib.suppress(asyncio.CancelledError):
            await served.serve(reader, writer)
        tasks.discard(task)

    server = await asyncio.start_server(accept, "127.0.0.1", 0, ssl=tls, limit=1 << 20)
    port = server.sockets[0].getsockname()[1]
    served.base = f"{'https' if tls else 'http'}://127.0.0.1:{port}"
    try:
        yield served
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for writer in writers:
            writer.transport.abort()
        await asyncio.sleep(0)  # transports close in the loop's next turn


def message(body: bytes, *, status: str = "200 OK", headers: str = "", length: int | None = None) -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\n{headers}"
    return f"{head}Content-Length: {len(body) if length is None else length}\r\n\r\n".encode() + body


def says(body: bytes, **head: Any) -> Speak:
    """A well-formed answer with this body."""
    answer = message(body, **head)

    async def speak(exchange: Exchange) -> bool:
        await exchange.write(answer)
        return True

    return speak


def shows(value: Any, **head: Any) -> Speak:
    return says(json.dumps(value).encode(), **head)


def raw(data: bytes) -> Speak:
    """These bytes, then the connection's end."""

    async def speak(exchange: Exchange) -> None:
        await exchange.write(data)

    return speak


def pours(head: bytes, block: bytes, *, pause: float = 0.0, blocks: int | None = None) -> Speak:
    """`head`, then `block` again and again."""

    async def speak(exchange: Exchange) -> None:
        await exchange.write(head)
        count = 0
        while blocks is None or count < blocks:
            await exchange.write(block)
            await asyncio.sleep(pause)
            count += 1

    return speak


def echoes(**changes: Any) -> Speak:
    """Add's success with `changes`; a change that is `...` takes the field away, one that is a function is applied."""

    async def speak(exchange: Exchange) -> bool:
        value: dict[str, Any] = {"success": True}
        value |= {name: exchange.sent[name] for name in ("request_id", "user_id", "session_id")}
        for name, change in changes.items():
            value[name] = change(value[name]) if callable(change) else change
        await exchange.write(message(json.dumps({k: v for k, v in value.items() if v is not ...}).encode()))
        return True

    return speak


async def _main(names: list[str]) -> None:
    from tests.hostile.misbehaviours import SPEAKERS

    async with contextlib.AsyncExitStack() as held:
        served = {name: await held.enter_async_context(hostile(SPEAKERS[name]())) for name in names}
        print(json.dumps({name: each.base for name, each in served.items()}), flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1:]))
