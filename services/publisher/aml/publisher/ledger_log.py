"""The ledger over HTTP, as far as the publisher reads it. Nothing that comes back is believed: `verify_row` checks it."""

import contextlib
from collections.abc import AsyncIterator

import aiohttp
import msgspec
from msgspec import Struct

from aml.contracts.envelope import Digest
from aml.contracts.seals import GatePassed

from .errors import LedgerUnavailable

_TIMEOUT = aiohttp.ClientTimeout(total=120.0, connect=3.0, sock_read=10.0)
_CONNECTIONS = 16
_GATE_PASSED = f'"type":"{GatePassed.__struct_config__.tag}"'.encode()


class _Proof(Struct, frozen=True, kw_only=True):
    """Of what the ledger answers, the hashes; the rest is known already, and is not taken from it."""

    proof: tuple[Digest, ...]


class LedgerLog:
    """One session for the process. Use as an async context manager."""

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> "LedgerLog":
        self._session = aiohttp.ClientSession(timeout=_TIMEOUT, connector=aiohttp.TCPConnector(limit=_CONNECTIONS))
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._session is not None:
            await self._session.close()

    async def reach(self) -> None:
        """Asks for what even an empty log has."""
        await self._read("/log/verifier")

    async def checkpoint(self, size: int | None = None) -> str:
        path = "/log/checkpoint" if size is None else f"/log/checkpoint?size={size}"
        try:
            return (await self._read(path)).decode()
        except UnicodeDecodeError:
            raise LedgerUnavailable(path, "it is not UTF-8") from None
        except LedgerUnavailable as error:
            if size is None or error.status != 404:
                raise
            return await self.checkpoint()

    async def gate_entry(self, job_id: str) -> bytes | None:
        """Looks through the job's entries, one a line: a long job has tens of thousands, so they are not kept."""
        try:
            async with self._answer(f"/log/jobs/{job_id}") as answer:
                async for line in _lines(answer):
                    if _GATE_PASSED in line:
                        return line
        except LedgerUnavailable as error:
            if error.status != 404:
                raise
        return None

    async def proof(self, index: int, size: int) -> tuple[bytes, ...]:
        return await self._hashes(f"/log/proof/{index}?size={size}")

    async def consistency(self, old: int, new: int) -> tuple[bytes, ...]:
        return await self._hashes(f"/log/consistency?old={old}&new={new}")

    async def _hashes(self, path: str) -> tuple[bytes, ...]:
        try:
            found = msgspec.json.decode(await self._read(path), type=_Proof)
        except msgspec.DecodeError as error:
            raise LedgerUnavailable(path, str(error)) from None
        return tuple(bytes.fromhex(step) for step in found.proof)

    async def _read(self, path: str) -> bytes:
        async with self._answer(path) as answer:
            return await answer.read()

    @contextlib.asynccontextmanager
    async def _answer(self, path: str) -> AsyncIterator[aiohttp.ClientResponse]:
        if self._session is None:
            raise LedgerUnavailable(path, "the client is closed")
        try:
            async with self._session.get(f"{self._url}{path}", allow_redirects=False) as answer:
                if answer.status != 200:
                    raise LedgerUnavailable(path, f"status {answer.status}", answer.status)
                yield answer
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            raise LedgerUnavailable(path, type(error).__name__) from None


async def _lines(answer: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
    """Of any length, unlike the stream reader's own. A canonical entry has no raw line break."""
    rest = b""
    async for part in answer.content.iter_any():
        *whole, rest = (rest + part).split(b"\n")
        for line in whole:
            yield line
