"""How a call is sent: with the caller's key, in patience with a gateway that restarts, and nothing created twice."""

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import httpx
import msgspec
from msgspec import Struct

from .errors import PlatformUnreachable, refusal_of

T = TypeVar("T", bound=Struct)

PAUSE_SECONDS: Final = 0.2
PIECE_BYTES: Final = 64 * 1024
UPLOAD_SECONDS: Final = 600.0


class Connection:
    """One caller's. Several may share the `http` below."""

    def __init__(self, base_url: str, key: str | None, http: httpx.AsyncClient, patience_seconds: float) -> None:
        self.base_url = base_url.rstrip("/")
        self.key = key
        self.http = http
        self.patience_seconds = patience_seconds

    async def get(self, path: str, shape: type[T], **query: Any) -> T:
        """A parameter that is None is left out."""
        return self._read(await self._send("GET", self._api(path), repeat=True, params=_given(query)), shape)

    async def get_bytes(self, path: str, **query: Any) -> bytes:
        answer = await self._send("GET", self._api(path), repeat=True, params=_given(query))
        if not answer.is_success:
            raise refusal_of(answer.status_code, answer.content)
        return answer.content

    async def create(self, path: str, body: Struct | None, shape: type[T]) -> T:
        """May be sent again after a broken connection: the key makes the gateway answer as it did the first time."""
        again = {"Idempotency-Key": uuid.uuid4().hex}
        return self._read(
            await self._send("POST", self._api(path), repeat=True, content=_encoded(body), extra=again), shape
        )

    async def post(self, path: str, body: Struct | None, shape: type[T]) -> T:
        return self._read(await self._send("POST", self._api(path), repeat=False, content=_encoded(body)), shape)

    async def put(self, path: str, body: Struct, shape: type[T]) -> T:
        """Sent again after a broken connection: what is put twice is put once."""
        return self._read(await self._send("PUT", self._api(path), repeat=True, content=_encoded(body)), shape)

    async def patch(self, path: str, body: Mapping[str, Any], shape: type[T]) -> T:
        """What `body` leaves out stays as it is."""
        content = msgspec.json.encode(body)
        return self._read(await self._send("PATCH", self._api(path), repeat=True, content=content), shape)

    async def upload(self, path: str, file: Path, shape: type[T], **query: Any) -> T:
        """The file as the raw body, piece by piece. Raises `OSError` for a file that cannot be read."""
        size = await asyncio.to_thread(lambda: file.stat().st_size)
        headers = {"Content-Type": "application/octet-stream", "Content-Length": str(size), **self._identity()}
        with file.open("rb") as opened:
            try:
                answer = await self.http.put(
                    self._api(path), params=query, content=_pieces(opened), headers=headers, timeout=UPLOAD_SECONDS
                )
            except httpx.TransportError as error:
                raise self._unreachable(error) from None
        return self._read(answer, shape)

    @asynccontextmanager
    async def stream(
        self, path: str, headers: Mapping[str, str], *, silence_seconds: float
    ) -> AsyncIterator[httpx.Response]:
        """The answer as it comes; its end and its breaks are the caller's, as `httpx.TransportError`."""
        timeout = httpx.Timeout(silence_seconds, connect=self.patience_seconds or None)
        async with self.http.stream(
            "GET", self._api(path), headers={**headers, **self._identity()}, timeout=timeout
        ) as answer:
            yield answer

    async def public_file(self, path: str) -> bytes | None:
        """A file beside the API; None while it is not there."""
        answer = await self._send("GET", f"{self.base_url}{path}", repeat=True)
        if answer.status_code == 404:
            return None
        if answer.is_success:
            return answer.content
        raise refusal_of(answer.status_code, answer.content)

    def _api(self, path: str) -> str:
        return f"{self.base_url}/api/v1{path}"

    def _identity(self) -> dict[str, str]:
        return {} if self.key is None else {"Authorization": f"Bearer {self.key}"}

    async def _send(
        self,
        method: str,
        url: str,
        *,
        repeat: bool,
        params: Mapping[str, Any] | None = None,
        content: bytes | None = None,
        extra: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        headers = {**(extra or {}), **self._identity()}
        if content is not None:
            headers["Content-Type"] = "application/json"
        deadline = time.monotonic() + self.patience_seconds
        while True:
            try:
                answer = await self.http.request(method, url, params=params, content=content, headers=headers)
            except (httpx.TransportError, httpx.InvalidURL) as error:
                never_sent = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)
                lasting = isinstance(error, httpx.UnsupportedProtocol | httpx.InvalidURL)
                if lasting or not (repeat or never_sent) or time.monotonic() > deadline:
                    raise self._unreachable(error) from None
            else:
                waits = answer.status_code == 503 or _is_hurried(answer)
                if not waits or time.monotonic() > deadline:
                    return answer
            await asyncio.sleep(PAUSE_SECONDS)

    def _read(self, answer: httpx.Response, shape: type[T]) -> T:
        if not answer.is_success:
            raise refusal_of(answer.status_code, answer.content)
        try:
            return msgspec.json.decode(answer.content, type=shape)
        except msgspec.DecodeError as error:
            problem = f"it answered {answer.request.url.path} with something else than a {shape.__name__} ({error})"
            raise PlatformUnreachable(self.base_url, problem) from None

    def _unreachable(self, error: Exception) -> PlatformUnreachable:
        return PlatformUnreachable(self.base_url, str(error) or type(error).__name__)


def _is_hurried(answer: httpx.Response) -> bool:
    """Refused for the pace of the calls alone: nothing was done, and a moment later the same call is welcome."""
    return answer.status_code == 429 and b'"rate_limited"' in answer.content


def segment(name: str) -> str:
    """An id as one step of a path, whatever it holds."""
    return "".join(chr(byte) if _plain(byte) else f"%{byte:02X}" for byte in name.encode("utf-8", "replace"))


def _plain(byte: int) -> bool:
    return chr(byte).isascii() and (chr(byte).isalnum() or chr(byte) in "-_")


def _given(query: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in query.items() if value is not None}


def _encoded(body: Struct | None) -> bytes | None:
    return None if body is None else msgspec.json.encode(body)


async def _pieces(opened: Any) -> AsyncIterator[bytes]:
    while piece := await asyncio.to_thread(opened.read, PIECE_BYTES):
        yield piece
