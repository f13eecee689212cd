"""A job's progress as it happens: server-sent events, gone on with behind the last one read; polls where none come through.

The form is that of the HTML standard, 9.2.6: fields by line, an event at an empty line, a colon first for a comment.
"""

import asyncio
import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final

import httpx
import msgspec
from msgspec import Struct

from aml.gateway.jobs.views import Job

from .connection import Connection, segment
from .errors import PlatformUnreachable, refusal_of

SILENCE_SECONDS: Final = 45.0
"""The gateway says something every 15 seconds."""
RETRY_SECONDS: Final = 2.0
POLL_SECONDS: Final = 2.0
EMPTY_STREAMS: Final = 2
"""Streams one after the other without an event, upon which polling is the better way: something between holds events back."""


class ServerEvent(Struct, frozen=True, kw_only=True):
    id: str | None
    data: str


class EventLines:
    """Lines in, events out. Pure but for its own state."""

    def __init__(self) -> None:
        self.retry_seconds = RETRY_SECONDS
        self._id: str | None = None
        self._data: list[str] = []

    def take(self, line: str) -> ServerEvent | None:
        if not line:
            data, self._data = self._data, []
            return ServerEvent(id=self._id, data="\n".join(data)) if data else None
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self._data.append(value)
        elif field == "id" and "\0" not in value:
            self._id = value
        elif field == "retry" and value.isascii() and value.isdigit():
            self.retry_seconds = min(int(value) / 1000, SILENCE_SECONDS)
        return None


async def follow_events(
    connection: Connection, job_id: str, ask: Callable[[str], Awaitable[Job]]
) -> AsyncIterator[Job]:
    """`ask` is the polling form. Raises `PlatformError`."""
    last_id: str | None = None
    empty, lost_at = 0, math.inf
    while empty < EMPTY_STREAMS:
        lines, heard = EventLines(), False
        headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": last_id} if last_id else {})
        path = f"/jobs/{segment(job_id)}/events"
        try:
            async with connection.stream(path, headers, silence_seconds=SILENCE_SECONDS) as answer:
                if answer.status_code == 204:
                    yield await ask(job_id)
                    return
                if not answer.is_success and answer.status_code != 503:
                    raise refusal_of(answer.status_code, await answer.aread())
                async for line in _lines(answer):
                    lost_at = math.inf
                    if (event := lines.take(line)) is not None:
                        job = _job(connection, event)
                        heard, last_id = True, event.id
                        yield job
                        if job.stage == "ended":
                            return
                empty = 0 if heard else empty + (answer.status_code != 503)
        except httpx.ReadTimeout:
            empty = 0 if heard else empty + 1
        except httpx.TransportError as error:
            now = time.monotonic()
            if now - lost_at > connection.patience_seconds:
                raise PlatformUnreachable(connection.base_url, str(error) or type(error).__name__) from None
            lost_at = min(lost_at, now)
        await asyncio.sleep(lines.retry_seconds)
    async for job in _polled(job_id, ask):
        yield job


async def _polled(job_id: str, ask: Callable[[str], Awaitable[Job]]) -> AsyncIterator[Job]:
    while True:
        job = await ask(job_id)
        yield job
        if job.stage == "ended":
            return
        await asyncio.sleep(POLL_SECONDS)


async def _lines(answer: httpx.Response) -> AsyncIterator[str]:
    """By line feeds alone: a label may hold what `str.splitlines` takes for the end of a line."""
    if not (answer.is_success and answer.headers.get("content-type", "").startswith("text/event-stream")):
        return
    rest = b""
    async for piece in answer.aiter_bytes():
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            yield line.removesuffix(b"\r").decode("utf-8", "replace")


def _job(connection: Connection, event: ServerEvent) -> Job:
    try:
        return msgspec.json.decode(event.data, type=Job)
    except msgspec.DecodeError as error:
        raise PlatformUnreachable(connection.base_url, f"an event is no job ({error})") from None
