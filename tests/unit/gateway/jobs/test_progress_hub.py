"""One reader for every stream: who watches what, and which snapshots they are given."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any, cast

import psycopg
import pytest
from tests.factories.gateway_rows import NOW, a_row, a_running_row

from aml.gateway.jobs import progress_hub
from aml.gateway.jobs.job_queries import JobRow
from aml.gateway.jobs.job_view import job_view
from aml.gateway.jobs.progress_hub import ProgressHub, snapshot_of
from aml.gateway.jobs.stall import Pulse


class FakeDatabase:
    """Holds rows; counts how often it was asked."""

    def __init__(self, *rows: JobRow) -> None:
        self.rows = {row.job_id: row for row in rows}
        self.asked: list[list[str]] = []
        self.away = False

    @contextlib.asynccontextmanager
    async def read(self) -> AsyncIterator[Any]:
        if self.away:
            raise psycopg.OperationalError("gone")
        yield self


class FakePulse:
    async def feel(self) -> Pulse:
        return Pulse()


@pytest.fixture
def database(monkeypatch: pytest.MonkeyPatch) -> FakeDatabase:
    async def load(connection: Any, job_ids: list[str]) -> list[JobRow]:
        connection.asked.append(job_ids)
        return [connection.rows[job_id] for job_id in job_ids]

    monkeypatch.setattr(progress_hub, "load_watched_jobs", load)
    monkeypatch.setattr(progress_hub, "TICK_SECONDS", 0.01)
    return FakeDatabase(a_row())


def a_hub(database: FakeDatabase, stopping: asyncio.Event | None = None) -> ProgressHub:
    return ProgressHub(cast("Any", database), cast("Any", FakePulse()), stopping or asyncio.Event())


async def test_all_watchers_of_all_jobs_cost_one_query_a_tick(database: FakeDatabase) -> None:
    database.rows["other"] = a_row(job_id="other")
    hub = a_hub(database)

    with hub.watch(a_row()) as one, hub.watch(a_row()) as same, hub.watch(a_row(job_id="other")):
        change = same.next_change()
        database.rows["j"] = a_running_row()
        await asyncio.wait_for(change, 2)

    assert one is same
    assert {tuple(sorted(asked)) for asked in database.asked} == {("j", "other")}


async def test_the_clock_alone_wakes_nobody(database: FakeDatabase) -> None:
    hub = a_hub(database)

    with hub.watch(a_row()) as watched:
        first, change = watched.newest, watched.next_change()
        while len(database.asked) < 3:
            database.rows["j"] = a_row(now=NOW.replace(second=len(database.asked)))
            await asyncio.sleep(0.005)

        assert not change.done()
        assert watched.newest is first
        change.cancel()


async def test_a_newcomers_own_reading_counts_and_an_older_one_takes_nothing_back(database: FakeDatabase) -> None:
    hub = a_hub(database)
    newer = a_running_row(now=NOW.replace(second=30))

    with hub.watch(a_row()) as watched, hub.watch(newer):
        newest = watched.newest
        assert newest is not None
        assert b'"state":"running"' in newest.frame
        watched.take(a_row(), Pulse())

        assert watched.newest is newest


async def test_nobody_is_asked_for_when_nobody_watches(database: FakeDatabase) -> None:
    hub = a_hub(database)
    with hub.watch(a_row()):
        await asyncio.sleep(0.03)
    await asyncio.sleep(0.03)
    asked = len(database.asked)

    await asyncio.sleep(0.03)

    assert len(database.asked) == asked
    with hub.watch(a_row()):  # and reading begins again with the next one
        await asyncio.sleep(0.05)
    assert len(database.asked) > asked


async def test_a_database_that_is_away_is_said_and_then_what_really_is(database: FakeDatabase) -> None:
    hub = a_hub(database)

    with hub.watch(a_row()) as watched:
        known = watched.newest
        change = watched.next_change()
        database.away = True
        await asyncio.wait_for(change, 2)
        away, change = watched.newest, watched.next_change()
        database.away = False
        await asyncio.wait_for(change, 2)

        assert away is not None
        assert b"database_away" in away.frame
        assert b"id:" not in away.frame
        assert known is not None
        assert watched.newest is not None
        assert watched.newest.id == known.id


async def test_a_stopping_process_wakes_everybody(database: FakeDatabase) -> None:
    stopping = asyncio.Event()
    hub = a_hub(database, stopping)

    with hub.watch(a_row()) as watched:
        change = watched.next_change()
        stopping.set()
        await asyncio.wait_for(change, 2)


def test_a_snapshots_id_is_what_it_says_and_not_when() -> None:
    at_once, later = job_view(a_running_row()), job_view(a_running_row(now=NOW.replace(second=9)))

    assert snapshot_of(at_once).id == snapshot_of(later).id
    assert snapshot_of(at_once).frame != snapshot_of(later).frame
    assert snapshot_of(job_view(a_running_row(searched=1))).id != snapshot_of(at_once).id
