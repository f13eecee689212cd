"""A database, a broker, a signer and settings for each test."""

import socket
from collections.abc import AsyncIterator
from pathlib import Path

import psycopg
import pytest
from tests.integration.ledger.stored_log import ORIGIN, lose_stream

from aml.ledger.database import Pool, migrate, open_pool
from aml.ledger.settings import AppendSettings, LedgerSettings, LogStoreSettings, SignerSettings
from aml.ledger.signer import Signer
from aml.runtime.bus import Bus
from aml.runtime.settings import DatabaseSettings, FilesSettings, HttpSettings, NatsSettings


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


@pytest.fixture
def signer(tmp_path: Path) -> Signer:
    return Signer.from_file(tmp_path / "log.key", ORIGIN)


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
