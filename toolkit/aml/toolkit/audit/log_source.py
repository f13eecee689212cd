"""Where a bundle's parts come from: the ledger's reading interface, and the board's files beside it."""

import asyncio
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Any, Final, Self

import httpx
import msgspec
from msgspec import Struct

from .errors import SourceUnreadable

PAGE: Final = 1000
"""The most entries that the ledger gives at once."""
_AHEAD: Final = 2
"""Pages asked for before they are needed: the ledger reads while the exporter hashes."""
_ROOTS: Final = ("/log", "/api/v1/log")
"""A ledger's own address, or a portal's."""


class _Site(Struct):
    boards: tuple["_Board", ...]


class _Board(Struct):
    board_id: str


class LogSource:
    """All raise `SourceUnreadable`. `board_url` is where `boards.json` lies; None for a source without boards."""

    def __init__(self, url: str, *, board_url: str | None = None, http: httpx.AsyncClient | None = None) -> None:
        self._url = url.rstrip("/")
        self._board_url = board_url.rstrip("/") if board_url is not None else None
        self._http = http or httpx.AsyncClient(timeout=60.0, trust_env=False)
        self._root: str | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.aclose()

    async def checkpoint(self) -> str:
        return (await self._log("checkpoint")).text

    async def verifiers(self) -> str:
        """Every verifier key of the log, one a line; a portal shows the current one only."""
        every = await self._ask(f"{await self._log_root()}/verifiers")
        return (every if every.is_success else await self._log("verifier")).text.strip()

    async def policy(self) -> str | None:
        answer = await self._ask(f"{await self._log_root()}/policy")
        return answer.text if answer.is_success else None

    async def entries(self, size: int) -> AsyncIterator[bytes]:
        """The canonical bytes of the first `size` entries, in order."""
        asked: list[asyncio.Task[list[bytes]]] = []
        start = 0
        try:
            while start < size or asked:
                while start < size and len(asked) < _AHEAD:
                    asked.append(asyncio.create_task(self._page(start, min(PAGE, size - start))))
                    start += PAGE
                for body in await asked.pop(0):
                    yield body
        finally:
            for task in asked:
                task.cancel()

    async def job(self, job_id: str) -> list[bytes] | None:
        """A job's entries in the order of its chain; None for a job that the log does not know."""
        answer = await self._ask(f"{await self._log_root()}/jobs/{job_id}")
        if answer.status_code == httpx.codes.NOT_FOUND:
            return None
        return self._ok(answer).content.splitlines()

    async def boards(self) -> dict[str, bytes]:
        """Each board's file by the board's id; empty before the first publication."""
        if self._board_url is None:
            return {}
        listed = await self._ask(f"{self._board_url}/boards.json")
        if listed.status_code == httpx.codes.NOT_FOUND:
            return {}
        try:
            site = msgspec.json.decode(self._ok(listed).content, type=_Site)
        except msgspec.DecodeError as error:
            raise SourceUnreadable(f"{self._board_url}/boards.json", f"lists no boards ({error})") from None
        return {
            board.board_id: self._ok(await self._ask(f"{self._board_url}/{board.board_id}.json")).content
            for board in site.boards
        }

    async def _page(self, start: int, count: int) -> list[bytes]:
        answer = await self._log("entries", start=start, count=count)
        bodies = answer.content.splitlines()
        if len(bodies) != count:
            raise SourceUnreadable(str(answer.request.url), f"gave {len(bodies)} entries of {count}")
        return bodies

    async def _log(self, path: str, **query: Any) -> httpx.Response:
        return self._ok(await self._ask(f"{await self._log_root()}/{path}", **query))

    async def _log_root(self) -> str:
        """Found once: both kinds of address are taken."""
        if self._root is None:
            for root in _ROOTS:
                answer = await self._ask(f"{self._url}{root}/verifier")
                if answer.is_success:
                    self._root = f"{self._url}{root}"
                    break
            else:
                raise SourceUnreadable(self._url, "is neither a ledger nor a portal: it shows no log")
        return self._root

    async def _ask(self, url: str, **query: Any) -> httpx.Response:
        try:
            return await self._http.get(url, params=query)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise SourceUnreadable(url, f"does not answer ({error or type(error).__name__})") from None

    @staticmethod
    def _ok(answer: httpx.Response) -> httpx.Response:
        if not answer.is_success:
            raise SourceUnreadable(str(answer.request.url), f"answered {answer.status_code}")
        return answer
