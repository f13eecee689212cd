"""What a stream sends besides its snapshots, and when it ends."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from typing import Any, cast

import pytest
from tests.factories.gateway_rows import a_row, a_running_row

from aml.gateway.errors import Unauthenticated
from aml.gateway.jobs import progress_stream
from aml.gateway.jobs.job_view import job_view
from aml.gateway.jobs.progress_hub import Watched, snapshot_of


class FakeHub:
    def __init__(self) -> None:
        self.watched = Watched("j")
        self.watched.show(snapshot_of(job_view(a_row())))

    @contextlib.contextmanager
    def watch(self, _row: Any) -> Iterator[Watched]:
        self.watched.watchers += 1
        yield self.watched
        self.watched.watchers -= 1


class FakeParts:
    def __init__(self) -> None:
        self.progress = FakeHub()
        self.stopping = asyncio.Event()
        self.revoked = False


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> FakeParts:
    async def authenticate(parts: FakeParts, _token: str | None) -> None:
        if parts.revoked:
            raise Unauthenticated("key_revoked")

    monkeypatch.setattr(progress_stream, "authenticate", authenticate)
    monkeypatch.setattr(progress_stream, "KEEP_ALIVE_SECONDS", 0.02)
    return FakeParts()


def events_of(parts: FakeParts, last_read: str | None = None) -> AsyncIterator[bytes]:
    return progress_stream._events(cast("Any", parts), a_row(), last_read, "key")


async def some_of(events: AsyncIterator[bytes], count: int) -> list[bytes]:
    async with asyncio.timeout(2):
        return [await anext(events) for _ in range(count)]


async def test_a_silent_job_keeps_its_connection_alive(parts: FakeParts) -> None:
    retry, first, *alive = await some_of(events_of(parts), 4)

    assert retry == b"retry: 2000\r\n\r\n"
    assert first.startswith(b"id: ")
    assert set(alive) == {b": keep-alive\r\n\r\n"}


async def test_what_was_read_is_not_sent_again(parts: FakeParts) -> None:
    newest = parts.progress.watched.newest
    assert newest is not None

    _, second = await some_of(events_of(parts, newest.id), 2)

    assert second == b": keep-alive\r\n\r\n"


async def test_a_change_between_two_reads_is_not_missed(parts: FakeParts) -> None:
    events = events_of(parts)
    await some_of(events, 2)

    parts.progress.watched.show(snapshot_of(job_view(a_running_row())))  # nobody waits for it at this moment
    (changed,) = await some_of(events, 1)

    assert b'"state":"running"' in changed


async def test_a_revoked_key_reads_no_further_than_to_the_next_keep_alive(parts: FakeParts) -> None:
    events = events_of(parts)
    await some_of(events, 2)
    parts.revoked = True

    with pytest.raises(StopAsyncIteration):
        await some_of(events, 1)

    assert parts.progress.watched.watchers == 0


async def test_a_revoked_key_does_not_read_a_busy_job_to_its_end(parts: FakeParts) -> None:
    parts.revoked = True
    read = 0

    async with asyncio.timeout(2):
        async for _ in events_of(parts):
            read += 1
            parts.progress.watched.show(snapshot_of(job_view(a_running_row(searched=read))))  # it is never silent
            await asyncio.sleep(0.005)

    assert 1 < read < 20


async def test_the_last_snapshot_ends_the_stream(parts: FakeParts) -> None:
    parts.progress.watched.show(snapshot_of(job_view(a_running_row(state="cancelled", sealed=True))))
    events = events_of(parts)

    _, last = await some_of(events, 2)

    assert b'"stage":"ended"' in last
    with pytest.raises(StopAsyncIteration):
        await some_of(events, 1)
