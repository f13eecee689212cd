"""A server on loopback that answers what it is told to, and calls to it over the participant's connections."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator

from aml.contracts.participant import CallLimits
from aml.runtime.participant.connections import Connections
from aml.runtime.participant.errors import ParticipantError
from aml.runtime.participant.exchange import fetch
from aml.runtime.participant.guarded_dial import GuardedDial
from aml.runtime.participant.name_lookup import system_lookup
from aml.runtime.participant.origin import Origin
from aml.runtime.participant.reply import Reply
from aml.runtime.participant.request_head import RequestHead

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
LIMITS = CallLimits(connect_seconds=2, first_byte_seconds=5, total_seconds=10)
QUICK = CallLimits(connect_seconds=2, first_byte_seconds=0.1, total_seconds=0.2)


class Server:
    """Answers each request with the next of its texts; an empty one hangs up, None says nothing."""

    def __init__(self, *answers: bytes | None) -> None:
        self.answers = list(answers)
        self.requests: list[bytes] = []
        self.connections = 0
        self.open = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.open += 1
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            await self.talk(reader, writer)
        writer.transport.abort()
        self.open -= 1

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            self.requests.append(await reader.readexactly(int(head.rpartition(b"Content-Length: ")[2])))
            answer = self.answers.pop(0)
            if answer == b"":
                return
            writer.write(answer or b"")
            await writer.drain()

    async def emptied(self) -> None:
        async with asyncio.timeout(5):
            while self.open:
                await asyncio.sleep(0.01)


@contextlib.asynccontextmanager
async def calling(server: Server, sock: socket.socket | None = None) -> AsyncIterator[tuple[Connections, RequestHead]]:
    sock = sock or socket.create_server(("127.0.0.1", 0))
    async with await asyncio.start_server(server.serve, sock=sock) as listening:
        origin = Origin("http", "127.0.0.1", listening.sockets[0].getsockname()[1])
        connections = Connections(GuardedDial(allow_private=True, lookup=system_lookup, ssl_context=None))
        try:
            yield connections, RequestHead(origin, b"POST /add HTTP/1.1\r\n")
        finally:
            connections.close()
            await server.emptied()
            await asyncio.sleep(0)  # transports close in the loop's next turn


async def told(
    connections: Connections, head: RequestHead, body: bytes = b"{}", limits: CallLimits = LIMITS
) -> tuple[int, bytes] | ParticipantError:
    reply = await fetch(connections, head, body, limits=limits)
    if isinstance(reply, Reply):
        reply.release()
        return reply.status, reply.body
    return reply
