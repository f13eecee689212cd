"""A job's evidence ends: in the store, in the stream, and in the gateway's read model."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import obstore
import pytest
from tests.factories.events import an_event

from aml.contracts.shredding import EvidenceShredded
from aml.gateway.read_model.fold import fold
from aml.gateway.read_model.projection_queries import apply_fold
from aml.gateway.read_model.retention import Retention, shredder
from aml.gateway.storage.database import Database
from aml.rules.identity import job_subject
from aml.runtime.bus import Bus
from aml.runtime.clock import SystemClock
from aml.runtime.evidence import EvidenceDestroyed, EvidenceStore, object_store
from aml.runtime.evidence_shredding import shred
from aml.runtime.key_encryption import KeyEncryptionKey
from aml.runtime.settings import DatabaseSettings, NatsSettings

KEK = KeyEncryptionKey(bytes(32))
EVENT = "0f6b3f0e-0000-5000-8000-000000000000"


@pytest.fixture
async def bus(nats_url: str) -> AsyncIterator[Bus]:
    bus = Bus(NatsSettings(url=nats_url), name="test")
    await bus.connect()
    yield bus
    await bus.close()


@pytest.fixture
async def database(fresh_database_url: str) -> AsyncIterator[Database]:
    database = Database(DatabaseSettings(url=fresh_database_url))
    await database.open()
    yield database
    await database.close()


async def test_it_is_stated_once_and_the_first_reason_stands(bus: Bus, tmp_path: Path) -> None:
    job_id = f"job-{uuid.uuid4().hex[:8]}"
    store = object_store(tmp_path.as_uri())
    evidence = EvidenceStore(store, KEK)
    ref = await evidence.put(job_id, EVENT, "text/plain", b"one")
    first = an_event(EvidenceShredded, job_id=job_id, reason="request")

    assert await shred(store, bus, first) == 1
    assert await shred(store, bus, an_event(EvidenceShredded, job_id=job_id, reason="retention")) == 0

    assert await bus.last_event(job_subject(job_id, EvidenceShredded)) == first
    with pytest.raises(EvidenceDestroyed):
        await evidence.open(job_id, EVENT, ref)


async def test_nothing_is_stated_while_something_is_left(
    monkeypatch: pytest.MonkeyPatch, bus: Bus, tmp_path: Path
) -> None:
    job_id = f"job-{uuid.uuid4().hex[:8]}"
    store = object_store(tmp_path.as_uri())
    await EvidenceStore(store, KEK).put(job_id, EVENT, "text/plain", b"one")

    async def refuse(*_: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(obstore, "delete_async", refuse)
    with pytest.raises(Exception, match="evidence/"):
        await shred(store, bus, an_event(EvidenceShredded, job_id=job_id))
    assert await bus.last_event(job_subject(job_id, EvidenceShredded)) is None


async def test_the_gateway_enforces_the_rule_once(bus: Bus, database: Database, tmp_path: Path) -> None:
    old, new = f"job-{uuid.uuid4().hex[:8]}", f"job-{uuid.uuid4().hex[:8]}"
    await add_ended_jobs(database, {old: 31, new: 29})
    store = object_store(tmp_path.as_uri())
    evidence = EvidenceStore(store, KEK)
    refs = {job_id: await evidence.put(job_id, EVENT, "text/plain", b"one") for job_id in (old, new)}
    retention = Retention(database, SystemClock(), shredder(store, bus), days=30)

    assert await retention.enforce(asyncio.Event()) == 1

    stated = await bus.last_event(job_subject(old, EvidenceShredded))
    assert isinstance(stated, EvidenceShredded)
    assert stated.reason == "retention"
    assert await evidence.open(new, EVENT, refs[new]) == b"one"
    async with database.transaction() as connection:
        await apply_fold(connection, fold([stated]))
    assert await retention.enforce(asyncio.Event()) == 0


async def test_zero_days_keep_everything(bus: Bus, database: Database, tmp_path: Path) -> None:
    await add_ended_jobs(database, {"job-old": 9_000})
    retention = Retention(database, SystemClock(), shredder(object_store(tmp_path.as_uri()), bus), days=0)
    await asyncio.wait_for(retention.run(asyncio.Event()), 1)
    assert list(tmp_path.iterdir()) == []


async def add_ended_jobs(database: Database, days_ago: dict[str, int]) -> None:
    async with database.transaction() as connection:
        await connection.execute(
            "INSERT INTO gateway.api_key (key_id, role, label, hash) VALUES ('key', 'participant', '', '\\x00')"
        )
        await connection.execute(
            "INSERT INTO gateway.system_version (version_id, key_id, system, version, track, division, arm, own_run,"
            " max_add_concurrency, max_search_concurrency)"
            " VALUES ('v', 'key', 's', '1', 'textual', 'open_source', 'participant', false, 1, 1)"
        )
        for job_id, days in days_ago.items():
            await connection.execute(
                "INSERT INTO gateway.job (job_id, key_id, version_id, mode, arm, track, run_label, run_label_key, release_id,"
                " release_digest, datasets, add_concurrency, search_concurrency, state, sealed, ended_at)"
                " VALUES (%s, 'key', 'v', 'full', 'participant', 'textual', %s, %s, 'r', 'd', '[]', 1, 1, 'completed', true,"
                " now() - make_interval(days => %s))",
                (job_id, job_id, job_id, days),
            )
