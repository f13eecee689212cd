"""The gateway's read model, made anew from the log."""

from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.factories.events import EXAMPLES, an_event
from tests.factories.finished_jobs import a_job

from aml.contracts.events import Event
from aml.contracts.seals import GateRefused, JobSealed
from aml.contracts.shredding import EvidenceShredded
from aml.gateway.read_model.fold import fold
from aml.gateway.read_model.projection_queries import apply_fold
from aml.gateway.read_model.rebuild import Unlogged, compare, rebuild
from aml.gateway.storage.database import Connection, Database, migrate
from aml.rules.upcast import UnknownEventVersion
from aml.runtime.settings import DatabaseSettings

JOBS = ("job-0", "job-1", "job-2")
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
EVENTS: tuple[Event, ...] = (
    *a_job("job-1"),
    *a_job("job-2", questions=6),
    an_event(JobSealed, job_id="job-1"),
    an_event(GateRefused, job_id="job-1"),
    an_event(EvidenceShredded, job_id="job-1"),
    an_event(JobSealed, job_id="job-0"),
    *EXAMPLES.values(),
)


@pytest.fixture
async def connection(fresh_database_url: str) -> AsyncIterator[Connection]:
    async with await Database(DatabaseSettings(url=fresh_database_url)).dedicated() as connection:
        await migrate(connection)
        await connection.execute(
            "INSERT INTO gateway.api_key (key_id, role, label, hash) VALUES ('key', 'participant', '', '\\x00')"
        )
        await connection.execute(
            "INSERT INTO gateway.system_version (version_id, key_id, system, version, track, division, arm, own_run,"
            " max_add_concurrency, max_search_concurrency)"
            " VALUES ('v', 'key', 's', '1', 'textual', 'open_source', 'participant', false, 1, 1)"
        )
        for job_id in JOBS:
            await connection.execute(
                "INSERT INTO gateway.job (job_id, key_id, version_id, mode, arm, track, run_label, run_label_key, release_id,"
                " release_digest, datasets, add_concurrency, search_concurrency)"
                " VALUES (%s, 'key', 'v', 'full', 'participant', 'textual', %s, %s, 'r', 'd', '[]', 1, 1)",
                (job_id, job_id, job_id),
            )
            await apply_fold(connection, fold(each for each in EVENTS if getattr(each, "job_id", None) == job_id))
        await apply_fold(connection, fold(EVENTS))
        await connection.execute("UPDATE gateway.job_progress SET first_add_at = %s, last_at = %s", (LONG_AGO,) * 2)
        yield connection


def log_of(events: Sequence[Event]) -> Any:
    async def read_log(start: int) -> AsyncIterator[Event]:
        for event in events[start:]:
            yield event

    return read_log


async def everything(connection: Connection) -> list[Any]:
    return [
        await (await connection.execute(f"SELECT * FROM gateway.{table} ORDER BY 1, 2")).fetchall()  # type: ignore[arg-type]
        for table in ("job", "job_progress", "unit", "fact", "job_result", "parked", "board")
    ]


async def has_shadow(connection: Connection) -> bool:
    found = await connection.execute("SELECT 1 FROM pg_namespace WHERE nspname = 'gateway_shadow'")
    return await found.fetchone() is not None


async def test_an_honest_read_model_is_what_the_log_leads_to(connection: Connection) -> None:
    before = await everything(connection)
    found = await compare(connection, log_of(EVENTS))
    assert (found.same, found.differences, found.entries) == (True, (), len(EVENTS))
    assert await everything(connection) == before
    assert not await has_shadow(connection)


async def test_a_rebuild_of_an_honest_one_changes_nothing_times_included(connection: Connection) -> None:
    before = await everything(connection)
    assert (await rebuild(connection, log_of(EVENTS))).swapped
    assert await everything(connection) == before
    assert not await has_shadow(connection)


@pytest.mark.parametrize(
    ("damage", "table"),
    [
        ("DELETE FROM gateway.unit WHERE job_id = 'job-1'", "unit"),
        ("DELETE FROM gateway.fact WHERE job_id = 'job-2'", "fact"),
        ("UPDATE gateway.job_progress SET correct = correct + 1 WHERE job_id = 'job-2'", "job_progress"),
        ("UPDATE gateway.unit SET score = 1 WHERE job_id = 'job-1'", "unit"),
        ("UPDATE gateway.job SET state = 'failed', gate = NULL WHERE job_id = 'job-1'", "job"),
        ("UPDATE gateway.job SET evidence_shredded = false", "job"),
        ("DELETE FROM gateway.job_result", "job_result"),
        ("INSERT INTO gateway.board (board_id, version, rows, tree_size) VALUES ('b', 1, 1, 1)", "board"),
    ],
)
async def test_damage_is_found_named_and_mended(connection: Connection, damage: str, table: str) -> None:
    before = await everything(connection)
    await connection.execute(damage)  # type: ignore[arg-type]

    found = await compare(connection, log_of(EVENTS))
    assert not found.same
    assert [each.table for each in found.differences] == [table]
    assert table == "board" or set(found.differences[0].jobs) & {*JOBS, "job-7c1f"}

    mended = await rebuild(connection, log_of(EVENTS))
    assert mended.swapped
    assert mended.logged_digest == (await compare(connection, log_of(EVENTS))).live_digest
    untimed = [[{k: v for k, v in row.items() if not k.endswith("_at")} for row in rows] for rows in before]
    now = await everything(connection)
    assert [[{k: v for k, v in row.items() if not k.endswith("_at")} for row in rows] for rows in now] == untimed


async def test_a_cancellation_on_its_way_to_the_stream_is_kept(connection: Connection) -> None:
    await connection.execute("UPDATE gateway.job SET state = 'cancelled', ended_at = now() WHERE job_id = 'job-2'")
    before = await everything(connection)
    await rebuild(connection, log_of(EVENTS))
    assert await everything(connection) == before


async def test_folding_goes_on_after_a_swap(connection: Connection) -> None:
    await rebuild(connection, log_of(EVENTS))
    later = [*a_job("job-3"), *EVENTS[:5]]
    await apply_fold(connection, fold(later))
    assert (await compare(connection, log_of((*EVENTS, *later)))).same


async def test_a_fact_that_the_log_lacks_stops_the_swap_until_it_is_discarded(
    monkeypatch: pytest.MonkeyPatch, connection: Connection
) -> None:
    monkeypatch.setattr("aml.gateway.read_model.rebuild.CATCH_UP_SECONDS", 0.0)
    await connection.execute("INSERT INTO gateway.fact (job_id, kind, unit, retries) VALUES ('job-1', 6, 'forged', 0)")
    before = await everything(connection)
    with pytest.raises(Unlogged, match="1 facts"):
        await rebuild(connection, log_of(EVENTS))
    assert await everything(connection) == before
    assert not await has_shadow(connection)

    await rebuild(connection, log_of(EVENTS), discard=True)
    assert (await compare(connection, log_of(EVENTS))).same


async def test_a_log_that_is_behind_is_waited_for(monkeypatch: pytest.MonkeyPatch, connection: Connection) -> None:
    monkeypatch.setattr("aml.gateway.read_model.rebuild.CATCH_UP_SECONDS", 0.0)
    ends = iter((len(EVENTS) // 3, len(EVENTS) // 3, len(EVENTS)))

    async def read_log(start: int) -> AsyncIterator[Event]:
        for event in EVENTS[start : next(ends)]:
            yield event

    done = await rebuild(connection, read_log)
    assert done.same


async def test_an_unknown_version_stops_it_and_changes_nothing(connection: Connection) -> None:
    async def read_log(start: int) -> AsyncIterator[Event]:
        for event in EVENTS[start:10]:
            yield event
        raise UnknownEventVersion("chunk_added.v9")

    before = await everything(connection)
    with pytest.raises(UnknownEventVersion, match=r"chunk_added\.v9"):
        await rebuild(connection, read_log)
    assert await everything(connection) == before
    assert not await has_shadow(connection)
