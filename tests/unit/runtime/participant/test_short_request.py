"""A POST in one write: the bytes that go out, which answers keep the connection, and what is raised."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import aiohttp
import pytest
from aiohttp.http_exceptions import HttpProcessingError
from multidict import CIMultiDict
from yarl import URL

from aml.runtime.participant.short_request import ShortRequests

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Of: server\r\n\r\nhi"


class Server:
    """Answers each request with the next of its texts; an empty one hangs up."""

    def __init__(self, *answers: bytes) -> None:
        self.answers = list(answers)
        self.requests: list[bytes] = []
        self.connections = 0
        self.url = URL()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        while request := await reader.read(65_536):
            self.requests.append(request)
            if not (answer := self.answers.pop(0)):
                break
            writer.write(answer)
        writer.close()


@contextlib.asynccontextmanager
async def calling(
    server: Server, *, limit: int = 10, connect_seconds: float = 5.0
) -> AsyncIterator[tuple[ShortRequests, URL]]:
    async with await asyncio.start_server(server.serve, "127.0.0.1", 0) as listening:
        url = URL(f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/add?a=1%202")
        session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=limit),
            timeout=aiohttp.ClientTimeout(connect=connect_seconds),
            headers={"Accept-Encoding": "identity"},
        )
        async with session:
            yield ShortRequests(session, CIMultiDict({"Authorization": "Bearer k"})), url


async def posted(short: ShortRequests, url: URL, body: bytes = b"{}") -> tuple[int, bytes]:
    async with short.post(url, body) as answer:
        return answer.status, await answer.content.read()


async def test_head_and_body_go_out_together_and_as_they_are() -> None:
    server = Server(OK)
    async with calling(server) as (short, url), short.post(url, '{"q": "茶"}'.encode()) as answer:
        assert (answer.status, answer.headers["X-Of"], answer.content_length) == (200, "server", 2)
        assert await answer.content.read() == b"hi"

    head, _, body = server.requests[0].partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    assert lines[0] == "POST /add?a=1%202 HTTP/1.1"
    assert {"Authorization: Bearer k", "Accept-Encoding: identity", "Content-Length: 12"} <= set(lines)
    assert [line.partition(":")[0].lower() for line in lines].count("content-length") == 1
    assert body == '{"q": "茶"}'.encode()


async def test_an_answer_that_was_read_keeps_its_connection() -> None:
    server = Server(OK, OK)
    async with calling(server) as (short, url):
        assert [await posted(short, url, body) for body in (b"1", b"22")] == [(200, b"hi")] * 2

    assert server.connections == 1
    assert [request.rpartition(b"\r\n")[2] for request in server.requests] == [b"1", b"22"]


@pytest.mark.parametrize("way", ["closed", "left unread", "raised"])
async def test_an_answer_that_was_not_read_to_its_end_gives_no_connection_to_the_next(way: str) -> None:
    server = Server(OK[:-1], OK)
    async with calling(server) as (short, url):
        with contextlib.suppress(LookupError):
            async with short.post(url, b"{}") as answer:
                if way == "closed":
                    answer.close()
                if way == "raised":
                    raise LookupError
        assert await posted(short, url) == (200, b"hi")

    assert server.connections == 2


async def test_an_interim_answer_is_passed_over() -> None:
    server = Server(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + OK)
    async with calling(server) as (short, url):
        assert await posted(short, url) == (200, b"hi")


async def test_an_answer_without_a_length_ends_with_its_connection() -> None:
    class Closing(Server):
        async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read(65_536)
            writer.write(b"HTTP/1.1 200 OK\r\n\r\nall of it")
            writer.close()

    async with calling(Closing()) as (short, url), short.post(url, b"{}") as answer:
        assert answer.content_length is None
        assert await answer.content.read() == b"all of it"


async def test_a_server_that_hangs_up_is_a_failure_of_the_connection() -> None:
    async with calling(Server(b"")) as (short, url):
        with pytest.raises(aiohttp.ServerDisconnectedError):
            await posted(short, url)


async def test_what_is_no_http_is_said_so() -> None:
    async with calling(Server(b"hello there\r\n\r\n")) as (short, url):
        with pytest.raises(HttpProcessingError):
            await posted(short, url)


async def test_a_place_that_does_not_come_free_in_time_is_a_connection_that_does_not() -> None:
    async with calling(Server(OK, OK), limit=1, connect_seconds=0.05) as (short, url), short.post(url, b"{}") as answer:
        with pytest.raises(aiohttp.ConnectionTimeoutError):
            await posted(short, url)
        assert await answer.content.read() == b"hi"
