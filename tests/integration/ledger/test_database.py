"""Roles, grants, triggers and migrations."""

import asyncio
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege
from tests.factories.finished_jobs import a_job
from tests.integration.ledger.stored_log import CLOCK, checked_log, messages, sequencer, tiles_of

from aml.ledger.database import SIGNER_ROLE, WRITER_ROLE, Pool, acting, database_problem, migrate, open_pool
from aml.ledger.sign_head import sign_head
from aml.ledger.signer import Signer
from aml.runtime.settings import DatabaseSettings


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
