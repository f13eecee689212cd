"""Over real sockets: which answers keep a connection, and for how long."""

import asyncio
import gc

import pytest
from tests.unit.runtime.participant.called_server import OK, Server, calling, told

from aml.runtime.participant import connections as kept_connections
from aml.runtime.participant.http_connection import HttpConnection
from aml.runtime.participant.response_reader import ResponseReader


async def test_an_answer_keeps_its_connection_for_the_next_call() -> None:
    server = Server(OK, OK)
    async with calling(server) as (connections, head):
        assert [await told(connections, head, body) for body in (b"1", b"22")] == [(200, b"hi")] * 2

    assert (server.connections, server.requests) == (1, [b"1", b"22"])


async def test_calls_at_once_have_a_connection_each() -> None:
    server = Server(*[OK] * 6)
    async with calling(server) as (connections, head):
        for _ in range(2):
            assert await asyncio.gather(*(told(connections, head) for _ in range(3))) == [(200, b"hi")] * 3

    assert server.connections == 3


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi",
        OK + OK,
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nhi",
        b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n",
        b"",
    ],
    ids=["announced", "a second answer", "compressed", "too large", "hung up"],
)
async def test_what_does_not_end_in_order_gives_no_connection_to_the_next(answer: bytes) -> None:
    server = Server(answer, OK)
    async with calling(server) as (connections, head):
        await told(connections, head)
        assert await told(connections, head) == (200, b"hi")

    assert server.connections == 2


async def test_bytes_that_come_between_two_calls_end_the_connection() -> None:
    class Planting(Server):
        async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"{}")
            writer.write(OK)
            await asyncio.sleep(0.02)
            writer.write(OK.replace(b"hi", b"no"))
            await reader.read()

    server = Planting()
    async with calling(server) as (connections, head):
        for _ in range(2):
            assert await told(connections, head) == (200, b"hi")
            await asyncio.sleep(0.06)

    assert server.connections == 2


async def test_a_server_that_closes_an_idle_connection_costs_no_call() -> None:
    class Leaving(Server):
        async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"{}")
            writer.write(OK)
            writer.close()
            await writer.wait_closed()

    server = Leaving()
    async with calling(server) as (connections, head):
        assert await told(connections, head) == (200, b"hi")
        await asyncio.sleep(0.05)
        assert await told(connections, head) == (200, b"hi")

    assert server.connections == 2


async def test_idle_connections_are_closed_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_connections, "KEEPALIVE_SECONDS", 0.05)
    server = Server(*[OK] * 3)
    async with calling(server) as (connections, head):
        await asyncio.gather(*(told(connections, head) for _ in range(3)))
        assert server.open == 3
        await server.emptied()


async def test_closing_ends_idle_connections_at_once_and_busy_ones_with_their_call() -> None:
    server = Server(OK, OK)
    async with calling(server) as (connections, head):
        await told(connections, head)
        busy = asyncio.ensure_future(told(connections, head))
        await asyncio.sleep(0)
        connections.close()
        assert await busy == (200, b"hi")
        await server.emptied()


async def test_closed_connections_leave_nothing_to_the_collector() -> None:
    server = Server(*[OK.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")] * 5)
    async with calling(server) as (connections, head):
        gc.collect()
        gc.disable()
        try:
            for _ in range(5):
                assert await told(connections, head) == (200, b"hi")
            await asyncio.sleep(0.02)
            assert not [each for each in gc.get_objects() if isinstance(each, HttpConnection | ResponseReader)]
        finally:
            gc.enable()
