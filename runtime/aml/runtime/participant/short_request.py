"""A small POST in one write, over aiohttp's connections and through its parser, without its session.

What the session does beside that (a request and a response object, cookies, proxies, middlewares, and before Python 3.12
a task for the body) is two thirds of what a call through aiohttp costs, and none of it is wanted here. Larger bodies
go through the session, which sends them in pieces and hears an answer that comes before the last one.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp
from aiohttp.connector import Connection
from multidict import CIMultiDict, CIMultiDictProxy
from yarl import URL


@dataclass(slots=True)
class Answer:
    """Its head has come, its body is still to be read."""

    status: int
    headers: CIMultiDictProxy[str]
    content: aiohttp.StreamReader
    connection: Connection

    @property
    def content_length(self) -> int | None:
        length = self.headers.get("Content-Length")
        return None if length is None else int(length)

    def close(self) -> None:
        """The connection with it."""
        self.connection.close()


class ShortRequests:
    """`headers` are those of every request, the participant's key among them."""

    def __init__(self, session: aiohttp.ClientSession, headers: CIMultiDict[str]) -> None:
        assert session.connector is not None
        self._session = session
        self._connector = session.connector
        self._headers = headers
        self._prepared: dict[URL, tuple[aiohttp.ClientRequest, bytes]] = {}

    @asynccontextmanager
    async def post(self, url: URL, body: bytes) -> AsyncIterator[Answer]:
        """Keeps the connection where the answer was read to its end. Raises what a session raises, and `HttpProcessingError`."""
        request, head = self._prepared.get(url) or self._prepare(url)
        try:
            connection = await self._connector.connect(request, traces=[], timeout=self._session.timeout)
        except TimeoutError:
            raise aiohttp.ConnectionTimeoutError from None
        try:
            yield await _ask(connection, b"%b%d\r\n\r\n%b" % (head, len(body), body))
            connection.release()
        except BaseException:
            connection.close()
            raise

    def _prepare(self, url: URL) -> tuple[aiohttp.ClientRequest, bytes]:
        headers = CIMultiDict({**self._session.headers, **self._headers})
        request = aiohttp.ClientRequest(
            "POST", url, headers=headers, loop=asyncio.get_running_loop(), session=self._session, data=None
        )
        lines = [f"POST {url.raw_path_qs} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in request.headers.items() if name.title() != "Content-Length"]
        prepared = self._prepared[url] = request, "\r\n".join((*lines, "Content-Length: ")).encode()
        return prepared


async def _ask(connection: Connection, request: bytes) -> Answer:
    protocol: Any = connection.protocol
    protocol.set_response_params(read_until_eof=True, auto_decompress=False)
    if protocol.transport is None:
        raise aiohttp.ServerDisconnectedError
    protocol.transport.write(request)
    while True:
        message, content = await protocol.read()
        if message.code >= 200 or message.code == 101:
            return Answer(message.code, message.headers, content, connection)
