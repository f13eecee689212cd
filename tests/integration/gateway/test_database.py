"""A database that takes a question and never answers holds nobody for ever."""

import asyncio
import time

import psycopg
import pytest

from aml.gateway.storage import database as module
from aml.gateway.storage.database import DATABASE_AWAY, Database
from aml.runtime.settings import DatabaseSettings

SLEEP = "SELECT pg_sleep(30)"


@pytest.fixture
async def database(fresh_database_url: str, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    monkeypatch.setattr(module, "SILENT_SECONDS", 0.3)
    database = Database(DatabaseSettings(url=fresh_database_url))
    await database.open()
    yield database
    await database.close()


async def test_a_silent_database_is_one_that_is_away(database: Database) -> None:
    begun = time.monotonic()

    with pytest.raises(psycopg.OperationalError) as lost:
        async with database.transaction() as connection:
            await connection.execute(SLEEP)

    assert isinstance(lost.value, DATABASE_AWAY)
    assert time.monotonic() - begun < 5
    assert await database.check() is None  # the next caller gets another connection


async def test_whoever_waits_for_others_meanwhile_may_take_longer(database: Database) -> None:
    async with database.read(unhurried=True) as connection:
        await asyncio.sleep(0.5)
        assert (await (await connection.execute("SELECT 1 AS one")).fetchall()) == [{"one": 1}]
