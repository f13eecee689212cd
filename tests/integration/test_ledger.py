"""The ledger on a real broker and a real database: order, faults, two at once, and what an outsider can check."""

import asyncio
import contextlib
import random
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import msgspec
import nats.js.errors
import psycopg
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from nats.js import api
from psycopg.errors import InsufficientPrivilege
from tests.factories.events import a_digest, an_event
from tests.factories.finished_jobs import a_job, a_release, a_release_locked
from tests.factories.paper_ledger import verify_files

from aml.contracts.access import KeyIssued
from aml.contracts.calibration import JudgeCalibrated
from aml.contracts.events import Event, encode_event
from aml.contracts.jobs import JobFailed
from aml.contracts.release import Calibration, Quotas, Release
from aml.contracts.seals import GatePassed, GateRefused, JobSealed
from aml.contracts.units import AnswerGenerated, UnitRequeued
from aml.ledger import bootstrap, checkpoint_queries, queries
from aml.ledger.append_batch import StreamMessage
from aml.ledger.bootstrap import run_ledger
from aml.ledger.database import SIGNER_ROLE, WRITER_ROLE, Pool, acting, database_problem, migrate, open_pool
from aml.ledger.errors import LogForked, LogWentBack
from aml.ledger.log_keys import generate_keys
from aml.ledger.log_store import FolderLogStore
from aml.ledger.sequencer import Sequencer
from aml.ledger.settings import AppendSettings, LedgerSettings, LogStoreSettings, SignerSettings, WitnessSettings
from aml.ledger.sign_head import sign_head
from aml.ledger.signer import Signer
from aml.ledger.tile_writer import TileWriter
from aml.ledger.tree_store import load_consistency, load_inclusion
from aml.rules.checkpoint import open_checkpoint, parse_verifier_key
from aml.rules.entry import read_entry
from aml.rules.gate import GateBundle
from aml.rules.identity import STREAM, job_subject, subject_of
from aml.rules.merkle import Frontier, leaf_hash, verify_consistency, verify_inclusion
from aml.rules.tlog_proof import parse_tlog_proof
from aml.rules.verify import verify_claim, verify_entries, verify_entry
from aml.rules.witness_policy import open_cosigned, parse_policy
from aml.runtime.bus import Bus
from aml.runtime.clock import FixedClock, SystemClock
from aml.runtime.publish_once import publish_once
from aml.runtime.settings import DatabaseSettings, FilesSettings, HttpSettings, NatsSettings
from aml.toolkit.witness.witness_api import WitnessApi, log_keys
from aml.toolkit.witness.witness_key import make_cosigner
from aml.toolkit.witness.witness_memory import WitnessMemory

ORIGIN = "log.example.org/test"
CLOCK = FixedClock(1_780_000_000_000)


@pytest.fixture
def ledger_url(database_url: str) -> str:
    """The session's database without a ledger in it: a database of its own would take a second a test."""
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA IF EXISTS ledger CASCADE")
    return database_url


@pytest.fixture
async def pool(ledger_url: str) -> AsyncIterator[Pool]:
    pool = open_pool(DatabaseSettings(url=ledger_url))
    await pool.open()
    async with pool.connection() as connection:
        await migrate(connection)
    yield pool
    await pool.close()


@pytest.fixture
async def bus(nats_url: str) -> AsyncIterator[Bus]:
    """With a stream of its own: the session's other tests leave theirs."""
    bus = Bus(NatsSettings(url=nats_url), name="test-ledger")
    await bus.connect()
    await lose_stream(bus)
    yield bus
    await lose_stream(bus)
    await bus.close()


async def lose_stream(bus: Bus) -> None:
    """As a broker whose disk was replaced: no message, no consumer, no memory of message ids (which a purge keeps)."""
    await bus.js.delete_stream(STREAM)
    await bus.connect()


@pytest.fixture
def signer(tmp_path: Path) -> Signer:
    return Signer.from_file(tmp_path / "log.key", ORIGIN)


def tiles_of(signer: Signer) -> TileWriter:
    """A writer that knows nothing yet, as after a start, over the store beside the signer's key."""
    return TileWriter(FolderLogStore(signer.key_file.parent / "public"), ORIGIN)


def sequencer(pool: Pool) -> Sequencer:
    return Sequencer(pool, CLOCK, on_closable=lambda: None)


def messages(events: Sequence[Event], start: int = 1) -> list[StreamMessage]:
    return [StreamMessage(n, subject_of(event), encode_event(event)) for n, event in enumerate(events, start)]


async def bodies(pool: Pool) -> list[bytes]:
    async with pool.connection() as connection:
        return [body for _, body in await queries.load_bodies(connection, 0, 1_000_000)]


async def checked_log(pool: Pool, signer: Signer) -> list[Any]:
    """Signs the log, and reads it as an auditor would: the events, in order."""
    await sign_head(pool, signer, tiles_of(signer), CLOCK)
    async with pool.connection() as connection:
        newest = await checkpoint_queries.load_checkpoint(connection)
    assert newest is not None
    return [each.event for each in verify_entries(open_checkpoint(newest.note, signer.key), await bodies(pool))]


async def eventually(check: Callable[[], Awaitable[Any]], seconds: float = 15.0) -> Any:
    async with asyncio.timeout(seconds):
        while not (found := await check()):
            await asyncio.sleep(0.02)
    return found


# The log alone


async def test_an_appended_log_verifies(pool: Pool, signer: Signer) -> None:
    events = a_job("a", questions=6)
    await sequencer(pool).append(messages(events))
    assert await checked_log(pool, signer) == events


async def test_duplicates_and_reordering_leave_each_fact_once(pool: Pool, signer: Signer) -> None:
    events = [*a_job("a", questions=10), *a_job("b", questions=10)]
    shuffled = [*events, *events[:30]]
    random.Random(7).shuffle(shuffled)
    for at in range(0, len(shuffled), 13):
        await sequencer(pool).append(messages(shuffled[at : at + 13], at + 1))
    found = await checked_log(pool, signer)
    assert len(found) == len(events)
    assert set(map(subject_of, found)) == set(map(subject_of, events))


async def test_two_sequencers_at_once_leave_a_dense_index(pool: Pool, signer: Signer) -> None:
    events = [event for n in range(6) for event in a_job(f"job-{n}", questions=8)]

    async def append_all(seed: int) -> None:
        mine = list(events)
        random.Random(seed).shuffle(mine)
        for at in range(0, len(mine), 17):
            await sequencer(pool).append(messages(mine[at : at + 17], at + 1))

    await asyncio.gather(append_all(1), append_all(2), append_all(3))
    assert set(map(subject_of, await checked_log(pool, signer))) == set(map(subject_of, events))


async def test_a_crash_between_copy_and_commit_stores_nothing_and_loses_nothing(
    pool: Pool, signer: Signer, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = a_job("a", questions=4)
    await sequencer(pool).append(messages(events[:5]))

    async def crash(*_: object) -> None:
        raise psycopg.OperationalError("the connection is lost")

    with monkeypatch.context() as broken:
        broken.setattr(queries, "update_head", crash)
        with pytest.raises(psycopg.OperationalError):
            await sequencer(pool).append(messages(events[5:], 6))
    assert len(await bodies(pool)) == 5
    await sequencer(pool).append(messages(events[5:], 6))
    assert await checked_log(pool, signer) == events


async def test_a_crash_between_commit_and_signature_is_made_good(pool: Pool, signer: Signer) -> None:
    events = a_job("a", questions=4)
    for at in range(0, len(events), 3):
        await sequencer(pool).append(messages(events[at : at + 3], at + 1))
    assert await sign_head(pool, signer, tiles_of(signer), CLOCK) == len(events)
    assert await sign_head(pool, signer, tiles_of(signer), CLOCK) == len(events)
    assert await checked_log(pool, signer) == events


async def test_a_signature_that_was_not_stored_is_given_again(pool: Pool, signer: Signer) -> None:
    await sequencer(pool).append(messages(a_job("a")))
    grown = Frontier()
    for body in await bodies(pool):
        grown.append(leaf_hash(body))
    signer.sign(grown)
    assert len(await checked_log(pool, signer)) == grown.size


async def test_what_is_no_event_is_kept_aside_and_the_log_goes_on(pool: Pool, signer: Signer) -> None:
    events = a_job("a")
    strange = StreamMessage(1, "aml.v1.job.a.mystery", b"\x00not an event")
    await sequencer(pool).append([strange, *messages(events, 2), strange])
    assert await checked_log(pool, signer) == events
    async with pool.connection() as connection:
        rows = await (await connection.execute("SELECT subject, body FROM ledger.refused")).fetchall()
    assert rows == [(strange.subject, strange.data)]


@pytest.mark.parametrize("table", ["entries", "nodes", "checkpoints", "cosigned"])
@pytest.mark.parametrize("change", ["UPDATE ledger.{} SET {} = {}", "DELETE FROM ledger.{}", "TRUNCATE ledger.{}"])
async def test_the_log_only_grows_even_for_its_owner(pool: Pool, signer: Signer, table: str, change: str) -> None:
    await sequencer(pool).append(messages(a_job("a", questions=70)))
    await sign_head(pool, signer, tiles_of(signer), CLOCK)
    column = "size" if table in ("checkpoints", "cosigned") else "idx"
    async with pool.connection() as connection:
        with pytest.raises(InsufficientPrivilege, match="the log only grows"):
            await connection.execute(change.format(table, column, column).encode())
        await connection.rollback()


async def test_an_edited_row_is_not_signed(pool: Pool, signer: Signer) -> None:
    events = a_job("a", questions=3)
    await sequencer(pool).append(messages(events))
    async with pool.connection() as connection:
        await connection.execute("ALTER TABLE ledger.entries DISABLE TRIGGER entries_only_grow")
        await connection.execute("UPDATE ledger.entries SET body = body || '\\x20' WHERE idx = 4")
    with pytest.raises(LogForked, match="entry 4 does not hash to the leaf beside it"):
        await sign_head(pool, signer, tiles_of(signer), CLOCK)


async def test_a_row_taken_away_is_not_signed(pool: Pool, signer: Signer) -> None:
    await sequencer(pool).append(messages(a_job("a", questions=3)))
    async with pool.connection() as connection:
        await connection.execute("ALTER TABLE ledger.entries DISABLE TRIGGER entries_only_grow")
        await connection.execute("DELETE FROM ledger.entries WHERE idx = 4")
    with pytest.raises(LogForked, match="entry 4 is missing"):
        await sign_head(pool, signer, tiles_of(signer), CLOCK)


async def test_an_older_database_is_not_signed(pool: Pool, signer: Signer) -> None:
    grown = Frontier()
    for n in range(50):
        grown.append(leaf_hash(b"%d" % n))
    signer.sign(grown)
    await sequencer(pool).append(messages(a_job("a", questions=3)))
    with pytest.raises(LogWentBack, match="but 50 were signed"):
        await sign_head(pool, signer, tiles_of(signer), CLOCK)


async def test_a_lost_memory_is_rebuilt_from_the_rows_and_the_checkpoint(
    pool: Pool, signer: Signer, tmp_path: Path
) -> None:
    events = a_job("a", questions=3)
    await sequencer(pool).append(messages(events[:6]))
    await sign_head(pool, signer, tiles_of(signer), CLOCK)
    (tmp_path / "log.key.state").unlink()
    await sequencer(pool).append(messages(events[6:], 7))
    assert await checked_log(pool, signer) == events
    assert signer.last_signed().size == len(events)


async def test_proofs_from_the_database_verify(pool: Pool) -> None:
    events = [event for n in range(3) for event in a_job(f"job-{n}", questions=70)]
    await sequencer(pool).append(messages(events))
    leaves = [leaf_hash(body) for body in await bodies(pool)]
    roots = [Frontier().root()]
    frontier = Frontier()
    for leaf in leaves:
        frontier.append(leaf)
        roots.append(frontier.root())
    assert len(leaves) > 3 * 256
    choose = random.Random(5)
    async with pool.connection() as connection:
        for _ in range(60):
            old, new = sorted((choose.randint(1, len(leaves)), choose.randint(1, len(leaves))))
            index = choose.randrange(new)
            found = await load_inclusion(connection, index, new)
            proof = [bytes.fromhex(each) for each in found.proof]
            assert (found.leaf, found.root) == (leaves[index].hex(), roots[new].hex())
            verify_inclusion(index=index, size=new, leaf=leaves[index], proof=proof, root=roots[new])
            consistency = await load_consistency(connection, old, new)
            verify_consistency(old=old, new=new, old_root=roots[old], new_root=roots[new], proof=consistency)


async def test_several_processes_may_migrate_at_once(ledger_url: str) -> None:
    async def once() -> None:
        async with await psycopg.AsyncConnection.connect(ledger_url) as connection:
            await migrate(connection)

    await asyncio.gather(once(), once(), once())


async def test_an_unreachable_database_is_named(unused_port: int) -> None:
    pool = open_pool(DatabaseSettings(url=f"postgresql://127.0.0.1:{unused_port}/none"))
    await pool.open(wait=False)
    try:
        assert "the database is unreachable" in (await database_problem(pool) or "")
    finally:
        await pool.close()


@pytest.mark.parametrize(
    ("role", "forbidden"),
    [
        (SIGNER_ROLE, "INSERT INTO ledger.entries SELECT 999, gen_random_uuid(), kind, NULL, NULL, NULL, leaf, body"),
        (SIGNER_ROLE, "UPDATE ledger.head SET size = 0 WHERE single AND EXISTS (SELECT 1"),
        (WRITER_ROLE, "INSERT INTO ledger.checkpoints SELECT 999, leaf, '', 0"),
        (WRITER_ROLE, "INSERT INTO ledger.cosigned SELECT 999, '', 0"),
    ],
)
async def test_the_appending_role_cannot_sign_and_the_signing_role_cannot_append(
    pool: Pool, role: str, forbidden: str
) -> None:
    await sequencer(pool).append(messages(a_job("a")))
    close = ")" if "EXISTS (" in forbidden else ""
    with pytest.raises(InsufficientPrivilege, match="permission denied"):
        async with acting(pool, role) as connection:
            await connection.execute(f"{forbidden} FROM ledger.entries LIMIT 1{close}".encode())


@pytest.mark.parametrize("role", [SIGNER_ROLE, WRITER_ROLE])
@pytest.mark.parametrize("table", ["entries", "nodes", "checkpoints", "cosigned"])
async def test_no_role_may_change_what_is_there(pool: Pool, role: str, table: str) -> None:
    column = "size" if table in ("checkpoints", "cosigned") else "idx"
    for change in (
        f"UPDATE ledger.{table} SET {column} = 1",
        f"DELETE FROM ledger.{table}",
        f"TRUNCATE ledger.{table}",
    ):
        with pytest.raises(InsufficientPrivilege, match="permission denied"):
            async with acting(pool, role) as connection:
                await connection.execute(change.encode())


async def test_an_owner_who_may_make_no_roles_can_still_run_the_log_and_not_change_it(
    fresh_database_url: str, signer: Signer
) -> None:
    parts = urlsplit(fresh_database_url)
    name = parts.path.removeprefix("/")
    with psycopg.connect(fresh_database_url, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {name} LOGIN PASSWORD 'plain'".encode())
        connection.execute(f"ALTER DATABASE {name} OWNER TO {name}".encode())
    plain = parts._replace(netloc=f"{name}:plain@{parts.netloc.rpartition('@')[2]}").geturl()
    pool = open_pool(DatabaseSettings(url=plain))
    await pool.open()
    try:
        async with pool.connection() as connection:
            await migrate(connection)
        events = a_job("a")
        await sequencer(pool).append(messages(events))
        assert await checked_log(pool, signer) == events
        for change in (
            "UPDATE ledger.entries SET idx = idx",
            "DELETE FROM ledger.checkpoints",
            "TRUNCATE ledger.nodes",
        ):
            async with pool.connection() as connection:
                with pytest.raises(InsufficientPrivilege, match="permission denied"):
                    await connection.execute(change.encode())
                await connection.rollback()
    finally:
        await pool.close()
        with psycopg.connect(fresh_database_url, autocommit=True) as connection:
            connection.execute(f"REASSIGN OWNED BY {name} TO CURRENT_USER".encode())
            connection.execute(f"DROP OWNED BY {name}".encode())
            connection.execute(f"DROP ROLE {name}".encode())


async def test_an_event_that_no_bundle_could_hold_is_kept_aside(pool: Pool, signer: Signer) -> None:
    events = a_job("a")
    long = msgspec.structs.replace(an_event(JobFailed), job_id="b", detail="x" * 65_600)
    await sequencer(pool).append(messages([long, *events]))
    assert await checked_log(pool, signer) == events
    async with pool.connection() as connection:
        rows = await (await connection.execute("SELECT problem FROM ledger.refused")).fetchall()
    assert "room for 65024" in rows[0][0]


# The whole service


@pytest.fixture
def unused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def settings(nats_url: str, ledger_url: str, tmp_path: Path, unused_port: int) -> LedgerSettings:
    return LedgerSettings(
        files=FilesSettings(datasets=tmp_path),
        signer=SignerSettings(key_file=tmp_path / "log.key", origin=ORIGIN),
        log_store=LogStoreSettings(url=(tmp_path / "public").as_uri()),
        http=HttpSettings(port=unused_port),
        nats=NatsSettings(url=nats_url),
        database=DatabaseSettings(url=ledger_url),
        append=AppendSettings(batch_events=64),
    )


@contextlib.asynccontextmanager
async def running(settings: LedgerSettings) -> AsyncIterator["Client"]:
    stop = asyncio.Event()
    task = asyncio.create_task(run_ledger(settings, stop))
    async with aiohttp.ClientSession(f"http://127.0.0.1:{settings.http.port}") as http:
        client = Client(http)
        try:
            await eventually(lambda: client.is_ready(task))
            yield client
        finally:
            stop.set()
            await task


class Client:
    def __init__(self, http: aiohttp.ClientSession) -> None:
        self._http = http

    async def is_ready(self, task: asyncio.Task[None]) -> bool:
        if task.done():
            task.result()
        try:
            return await self.status("/health/ready") == 200
        except aiohttp.ClientConnectionError:
            return False

    async def status(self, path: str) -> int:
        async with self._http.get(path) as response:
            return response.status

    async def text(self, path: str) -> str:
        async with self._http.get(path) as response:
            assert response.status == 200, await response.text()
            return await response.text()

    async def json(self, path: str) -> Any:
        async with self._http.get(path) as response:
            assert response.status == 200, await response.text()
            return await response.json()

    async def lines(self, path: str) -> list[bytes]:
        return (await self.text(path)).encode().splitlines()


async def test_a_job_is_appended_sealed_and_decided_and_an_outsider_can_check_it(
    bus: Bus, settings: LedgerSettings
) -> None:
    events = a_job("a", questions=5, mode="smoke")
    async with running(settings) as client:
        for event in events:
            await publish_once(bus, event)
        refused = await eventually(lambda: bus.last_event(job_subject("a", GateRefused)))
        assert isinstance(refused, GateRefused)
        assert "mode_not_full" in {check.code for check in refused.checks}
        assert refused.result.overall == 800_000

        await eventually(lambda: _has(client, len(events) + 2))
        key = parse_verifier_key(await client.text("/log/verifier"))
        checkpoint = open_checkpoint(await client.text("/log/checkpoint"), key)
        entries = verify_entries(checkpoint, await client.lines("/log/entries?start=0&count=1000"))
        assert [type(each.event) for each in entries[-2:]] == [JobSealed, GateRefused]
        assert entries[-2].leaf == refused.seal

        proof = await client.json(f"/log/proof/{len(events)}")
        body = (await client.lines(f"/log/entries?start={len(events)}&count=1"))[0]
        assert proof["root"] == checkpoint.root.hex()
        verify_entry(checkpoint, body, [bytes.fromhex(each) for each in proof["proof"]])
        assert len(await client.lines("/log/jobs/a")) == len(events) + 2
        consistency = await client.json(f"/log/consistency?old=3&new={checkpoint.size}")
        assert consistency["proof"]


async def test_a_full_job_passes_once_for_its_version_and_the_claim_can_be_run_again(
    bus: Bus, settings: LedgerSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    demand = Calibration(answers="answers-1", sha256=a_digest("answers"), threshold=900_000)
    release = a_release(questions=4, quotas=Quotas(full_interval_days=0), calibration=demand)
    locked, measured = a_release_locked(), an_event(JudgeCalibrated)

    class OneRelease:
        def __init__(self, _: object) -> None: ...

        def of(self, _: str) -> tuple[Release, str]:
            return release, locked.release_digest

    monkeypatch.setattr(bootstrap, "Releases", OneRelease)
    async with running(settings) as client:
        for event in [locked, measured, *a_job("a", questions=4), *a_job("b", questions=4)]:
            await publish_once(bus, event)
        passed = await eventually(lambda: bus.last_event(job_subject("a", GatePassed)))
        refused = await eventually(lambda: bus.last_event(job_subject("b", GateRefused)))
        lines = await client.lines("/log/jobs/a")
    assert [check.code for check in refused.checks if not check.passed] == ["already_passed"]
    # The factory's jobs do not share their units' names, as a platform's jobs on the same dataset do.
    assert {check.name: check.code for check in refused.checks}["duplicates"] == "ok"
    entries = [read_entry(line) for line in lines]
    to_seal = next(at for at, each in enumerate(entries) if isinstance(each.event, JobSealed)) + 1
    bundle = GateBundle(
        entries=tuple(entries[:to_seal]),
        release=release,
        locks=((0, locked),),
        earlier=(),
        calibrations=((1, measured),),
    )
    assert verify_claim(bundle, passed) == ()


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/log/checkpoint", 404),
        ("/log/proof/0", 404),
        ("/log/proof/x", 422),
        ("/log/proof/0?size=-1", 422),
        ("/log/entries?start=x", 422),
        ("/log/consistency?old=1", 404),
        ("/log/jobs/nobody", 404),
        ("/log/verifier", 200),
        ("/log/entries", 200),
        ("/health/live", 200),
        ("/metrics", 200),
    ],
)
async def test_an_empty_log_answers_every_question(bus: Bus, settings: LedgerSettings, path: str, status: int) -> None:
    async with running(settings) as client:
        assert await client.status(path) == status


async def test_a_restart_goes_on_where_the_log_stands(bus: Bus, settings: LedgerSettings) -> None:
    events = a_job("a", questions=30, mode="smoke")
    for event in events[:60]:
        await publish_once(bus, event)
    async with running(settings) as client:
        await eventually(lambda: _has(client, 60))
    for event in events[60:]:
        await publish_once(bus, event)
    async with running(settings) as client:
        await eventually(lambda: _has(client, len(events) + 2))
        key = parse_verifier_key(await client.text("/log/verifier"))
        checkpoint = open_checkpoint(await client.text("/log/checkpoint"), key)
        entries = verify_entries(checkpoint, await client.lines("/log/entries?count=1000"))
    assert [each.event for each in entries[: len(events)]] == events


async def test_two_ledgers_together_leave_one_dense_log(bus: Bus, settings: LedgerSettings, tmp_path: Path) -> None:
    events = [event for n in range(4) for event in a_job(f"job-{n}", questions=20, mode="smoke")]
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        other_port = probe.getsockname()[1]
    other = LedgerSettings(
        files=settings.files,
        signer=settings.signer,
        log_store=settings.log_store,
        http=HttpSettings(port=other_port),
        nats=settings.nats,
        database=settings.database,
        append=AppendSettings(batch_events=31),
    )
    async with running(settings) as client, running(other):
        for event in events:
            await publish_once(bus, event)
        await eventually(lambda: _has(client, len(events) + 8))
        key = parse_verifier_key(await client.text("/log/verifier"))
        checkpoint = open_checkpoint(await client.text("/log/checkpoint"), key)
        entries = verify_entries(checkpoint, await client.lines("/log/entries?count=1000"))
    assert len({each.event_id for each in entries}) == len(entries) == len(events) + 8
    shown = verify_files(tmp_path / "public", key)
    assert shown is not None
    assert shown.size >= len(entries)


async def test_an_emptied_stream_gets_its_open_job_back(bus: Bus, settings: LedgerSettings) -> None:
    events = a_job("a", questions=5, mode="smoke")
    for event in events[:-1]:
        await publish_once(bus, event)
    async with running(settings) as client:
        await eventually(lambda: _has(client, len(events) - 1))
    await lose_stream(bus)
    async with running(settings) as client:
        await eventually(lambda: bus.last_event(subject_of(events[-2])))
        await publish_once(bus, events[-1])
        await eventually(lambda: _has(client, len(events) + 2))
        entries = await client.lines("/log/entries?count=1000")
    assert len(entries) == len(events) + 2


async def test_the_public_files_verify_alone_and_old_checkpoints_stay_readable(
    bus: Bus, settings: LedgerSettings, tmp_path: Path
) -> None:
    events = a_job("a", questions=80, mode="smoke")
    async with running(settings) as client:
        for event in events:
            await publish_once(bus, event)
        await eventually(lambda: _has(client, len(events) + 2))
        key = parse_verifier_key(await client.text("/log/verifier"))
        shown = verify_files(tmp_path / "public", key)
        assert shown is not None
        assert shown.size == len(events) + 2
        assert await client.text("/checkpoint") == await client.text("/log/checkpoint")
        assert await client.text(f"/log/checkpoint?size={shown.size}") == await client.text("/log/checkpoint")
        assert await client.status("/log/checkpoint?size=100000") == 404
        assert (await client.text("/log/verifiers")).splitlines() == [str(key)]
        proof = parse_tlog_proof(await client.text("/log/tlog-proof/7"))
        body = (await client.lines("/log/entries?start=7&count=1"))[0]
        verify_entry(open_checkpoint(proof.checkpoint, key), body, proof.proof)


async def test_a_checkpoint_is_published_when_its_quorum_has_cosigned_it(
    bus: Bus, settings: LedgerSettings, tmp_path: Path
) -> None:
    generate_keys(settings.signer.key_file, ORIGIN)
    key_line = Path(f"{settings.signer.key_file}.pub").read_text()
    events = a_job("a", questions=5, mode="smoke")
    async with contextlib.AsyncExitStack() as held:
        lines = [f"log {key_line.strip()}"]
        servers: dict[str, TestServer] = {}
        for name in ("one", "two"):
            cosigner = make_cosigner(tmp_path / name / "key", f"{name}.example.org")
            memory = held.enter_context(WitnessMemory(tmp_path / name / "state"))
            application = web.Application()
            application.add_routes(WitnessApi(cosigner, log_keys([key_line]), memory, SystemClock()).routes())
            servers[name] = await held.enter_async_context(TestServer(application))
            lines.append(f"witness {name} {cosigner.key} {servers[name].make_url('')}")
        policy_file = tmp_path / "policy"
        policy_file.write_text("\n".join([*lines, "group both all one two", "quorum both", ""]))
        watched = msgspec.structs.replace(settings, witness=WitnessSettings(policy_file=policy_file))
        policy = parse_policy(policy_file.read_text())
        async with running(watched) as client:
            for event in events:
                await publish_once(bus, event)
            await eventually(lambda: _has(client, len(events) + 2))
            note = await client.text("/log/checkpoint")
            assert open_cosigned(note, policy, now_s=SystemClock().now_ms() // 1000).size == len(events) + 2
            await eventually(lambda: _shows(client, note))
            assert await client.text("/log/policy") == policy_file.read_text()

            await servers["two"].close()
            await publish_once(bus, an_event(KeyIssued))
            await eventually(lambda: _appended(client, len(events) + 3))
            await asyncio.sleep(0.5)
            assert await client.text("/checkpoint") == await client.text("/log/checkpoint") == note
            assert await client.status("/health/ready") == 200
    shown = verify_files(tmp_path / "public", parse_verifier_key(key_line))
    assert shown is not None
    assert shown.size == len(events) + 2


async def _shows(client: Client, note: str) -> bool:
    """The public file follows the database's record in a moment."""
    return await client.status("/checkpoint") == 200 and await client.text("/checkpoint") == note


async def _appended(client: Client, size: int) -> bool:
    return len(await client.lines("/log/entries?count=1000")) >= size


async def test_a_stalled_job_is_asked_for_again(bus: Bus, settings: LedgerSettings) -> None:
    events = a_job("a", questions=2, mode="smoke")
    for event in events[:-1]:
        await publish_once(bus, event)
    patient = LedgerSettings(
        files=settings.files,
        signer=settings.signer,
        log_store=settings.log_store,
        http=settings.http,
        nats=settings.nats,
        database=settings.database,
        append=AppendSettings(stall_seconds=0.2),
    )
    unit = getattr(events[-1], "unit", "")
    async with running(patient):
        subject = job_subject("a", UnitRequeued, f"{unit}-scoring-stall-1")
        requeued = await eventually(lambda: bus.last_event(subject))
    assert isinstance(requeued, UnitRequeued)
    assert requeued.trigger == subject_of(events[-2])


async def test_a_job_under_way_is_not_stalled(bus: Bus, settings: LedgerSettings) -> None:
    events = a_job("a", questions=2, mode="smoke")
    lane = api.ConsumerConfig(
        durable_name="judge-test",
        filter_subjects=[job_subject("a", AnswerGenerated, "*"), job_subject("*", UnitRequeued, "*")],
    )
    subscription = await bus.js.pull_subscribe("", durable="judge-test", stream=STREAM, config=lane)
    for event in events[:-1]:
        await publish_once(bus, event)
    held = await subscription.fetch(1, timeout=5)
    impatient = LedgerSettings(
        files=settings.files,
        signer=settings.signer,
        log_store=settings.log_store,
        http=settings.http,
        nats=settings.nats,
        database=settings.database,
        append=AppendSettings(stall_seconds=0.2),
    )
    async with running(impatient):
        await asyncio.sleep(1.0)
        unit = getattr(events[-1], "unit", "")
        assert await bus.last_event(job_subject("a", UnitRequeued, f"{unit}-scoring-stall-1")) is None
        await held[0].term()
        with contextlib.suppress(nats.js.errors.NotFoundError):
            await bus.js.delete_consumer(STREAM, "judge-test")


async def _has(client: Client, size: int) -> bool:
    if await client.status("/log/checkpoint") != 200:
        return False
    return int((await client.text("/log/checkpoint")).split("\n")[1]) >= size
