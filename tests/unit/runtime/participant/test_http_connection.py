"""Over real sockets: what goes out, early answers, deadlines, cancellations, broken connections."""

import asyncio
import socket
from typing import Any, cast

import pytest
from tests.unit.runtime.participant.called_server import LIMITS, OK, QUICK, Server, calling, told

from aml.contracts.participant import CallLimits
from aml.runtime.participant import connections as kept_connections
from aml.runtime.participant.errors import HttpRefused, TransportFailed
from aml.runtime.participant.exchange import fetch
from aml.runtime.participant.http_connection import LARGE_RESPONSE_BYTES, PIECE_BYTES, HttpConnection
from aml.runtime.participant.reply import Reply


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (None, r"the first byte did not come within 0\.1 s"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nh", r"was not complete within 0\.2 s"),
    ],
    ids=["silence", "half an answer"],
)
async def test_each_deadline_has_its_words_and_ends_the_connection(answer: bytes | None, problem: str) -> None:
    server = Server(answer)
    async with calling(server) as (connections, head):
        failure = await told(connections, head, limits=QUICK)
        assert isinstance(failure, TransportFailed)
        with pytest.raises(TransportFailed, match=problem):
            raise failure
        assert connections.kept(head.origin) is None


async def test_a_total_below_the_first_byte_s_limit_is_named() -> None:
    async with calling(Server(None)) as (connections, head):
        failure = await told(connections, head, limits=CallLimits(first_byte_seconds=1800, total_seconds=0.1))
        assert isinstance(failure, TransportFailed)
        assert "did not come within 0.1 s" in failure.problem


async def test_a_call_that_is_cancelled_takes_its_connection_along() -> None:
    server = Server(None, OK)
    async with calling(server) as (connections, head):
        call = asyncio.ensure_future(told(connections, head))
        await asyncio.sleep(0.05)
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        assert await told(connections, head) == (200, b"hi")

    assert server.connections == 2


async def test_a_large_request_goes_out_whole() -> None:
    server = Server(OK, OK)
    body = bytes(range(256)) * (PIECE_BYTES // 64)
    async with calling(server) as (connections, head):
        assert await told(connections, head, body) == (200, b"hi")
        assert await told(connections, head) == (200, b"hi")

    assert server.requests == [body, b"{}"]
    assert server.connections == 1


async def test_an_answer_before_the_end_of_a_large_request_is_heard() -> None:
    class Hasty(Server):
        async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n")
            await writer.drain()
            await reader.read()

    async with calling(Hasty()) as (connections, head):
        assert await told(connections, head, bytes(64 << 20)) == (413, b"")
        assert connections.kept(head.origin) is None


async def test_after_a_large_answer_before_the_end_of_a_request_the_connection_is_not_kept() -> None:
    """The rest of that request was never sent: the server would take the next one's first bytes, and its key, for it."""

    class Hasty(Server):
        async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(large), large))
            await writer.drain()
            await asyncio.sleep(0.2)
            await reader.read()

    large = bytes(LARGE_RESPONSE_BYTES * 3)
    async with calling(Hasty()) as (connections, head):
        assert await told(connections, head, bytes(64 << 20)) == (200, large)
        assert connections.kept(head.origin) is None


async def test_an_answer_to_a_request_that_was_not_all_sent_yet_keeps_no_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Small enough for one piece, too large for the buffers of a server that does not read."""

    class Hasty(Server):
        async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            cast("asyncio.Transport", writer.transport).pause_reading()
            writer.write(b"HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n")
            await asyncio.sleep(0.1)

    def narrowed(connection: HttpConnection, transport: asyncio.BaseTransport) -> None:
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
        make(connection, transport)

    make = HttpConnection.connection_made
    monkeypatch.setattr(HttpConnection, "connection_made", narrowed)
    narrow = socket.socket()
    narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    narrow.bind(("127.0.0.1", 0))
    async with calling(Hasty(), narrow) as (connections, head):
        connection = await connections.open(head.origin, seconds=2)
        request, started = head.with_body(bytes(PIECE_BYTES)), asyncio.get_running_loop().time()
        assert (await connection.ask(*request, limits=LIMITS, started=started)).status == 413
        assert not connection.usable


class Deaf(Server):
    """Says something at once, finishes, and does not read."""

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        cast("asyncio.Transport", writer.transport).pause_reading()
        writer.write(self.answers[0] or b"")
        writer.write_eof()
        await asyncio.sleep(0.5)


@pytest.mark.parametrize(
    ("answer", "heard"),
    [(b"", "closed the connection without an answer"), (b"HTTP/1.0 413 Too Large\r\n\r\nno", (413, b"no"))],
    ids=["without a word", "with an answer"],
)
async def test_who_has_finished_is_not_waited_for_with_a_large_request(answer: bytes, heard: Any) -> None:
    async with calling(Deaf(answer)) as (connections, head), asyncio.timeout(0.4):
        reply = await told(connections, head, bytes(64 << 20))
        assert reply.problem.endswith(heard) if isinstance(reply, TransportFailed) else reply == heard, reply


async def test_a_connection_that_breaks_under_a_large_request_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    class Leaving(Server):
        async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readexactly(1 << 20)
            writer.transport.abort()

    async with calling(Leaving()) as (connections, head):
        for _ in range(3):
            assert isinstance(await told(connections, head, bytes(32 << 20)), TransportFailed)
    assert caplog.messages == []


@pytest.mark.parametrize(
    ("first", "heard"),
    [
        (b"SSH-2.0-OpenSSH_9.9\r\n", HttpRefused),
        (b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n", (503, b"")),
        (b"HTTP/1.1 100 Continue\r\n\r\n", (200, b"hi")),
    ],
    ids=["another protocol", "busy", "interim"],
)
@pytest.mark.parametrize("after", [0, 0.05])
async def test_what_is_said_before_the_first_question_is_its_answer(first: bytes, heard: Any, after: float) -> None:
    """Whether it comes before or after the request is written."""

    class Forward(Server):
        async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await asyncio.sleep(after)
            writer.write(first)
            await reader.readuntil(b"{}")
            writer.write(OK)
            await reader.read()

    async with calling(Forward()) as (connections, head):
        reply = await told(connections, head)
        assert type(reply) is heard if isinstance(heard, type) else reply == heard


async def test_a_server_that_is_busy_and_gone_before_the_first_question_is_heard() -> None:
    class Gone(Server):
        async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n")
            await writer.drain()
            writer.close()

    async with calling(Gone()) as (connections, head):
        connection = await connections.open(head.origin, seconds=2)
        await asyncio.sleep(0.05)
        reply = await connection.ask(*head.with_body(b"{}"), limits=LIMITS, started=asyncio.get_running_loop().time())
        assert (reply.status, reply.body) == (503, b"")
        assert not connection.usable


async def test_calls_that_are_cancelled_at_any_turn_leave_no_place_and_no_socket_behind() -> None:
    large = bytes(LARGE_RESPONSE_BYTES + PIECE_BYTES * 4)
    server = Server(*[b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(large), large)] * 2_000)
    async with calling(server) as (connections, head):
        for turns in range(0, 60, 2):
            calls = [asyncio.ensure_future(fetch(connections, head, b"{}", limits=LIMITS)) for _ in range(10)]
            for _ in range(turns):
                await asyncio.sleep(0)
            for call in calls:
                call.cancel()
            for reply in await asyncio.gather(*calls, return_exceptions=True):
                if isinstance(reply, Reply):
                    reply.release()
        replies = [
            await fetch(connections, head, b"{}", limits=LIMITS) for _ in range(kept_connections.LARGE_BODIES_AT_ONCE)
        ]
        for reply in replies:
            assert isinstance(reply, Reply)
            reply.release()


async def test_a_failure_leads_to_no_frame_that_holds_the_request() -> None:
    async with calling(Server(b"")) as (connections, head):
        failure = await told(connections, head)

    assert isinstance(failure, TransportFailed)
    assert (failure.__traceback__, failure.__context__, failure.__cause__) == (None, None, None)
