"""The ledger's Postgres: a small pool that reconnects, and the numbered migrations run once each."""

import contextlib
import logging
from collections.abc import AsyncIterator
from importlib.resources import files

import psycopg
import structlog
from psycopg.conninfo import make_conninfo
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout

from aml.runtime.settings import DatabaseSettings

log = structlog.get_logger()

Connection = psycopg.AsyncConnection
Pool = AsyncConnectionPool[Connection]

DATABASE_AWAY = (psycopg.OperationalError, PoolTimeout, PoolClosed)
"""The database is unreachable, restarting, or full: the same transaction may succeed later."""

WRITER_ROLE = "aml_ledger_writer"
SIGNER_ROLE = "aml_ledger_signer"

_TAKE_ROLE = """
SELECT set_config('role', %s, true) FROM pg_roles WHERE rolname = %s AND pg_has_role(
    current_user, oid, CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END)
"""
"""For the transaction, as `SET LOCAL ROLE` does, and nothing where the role is missing or not granted."""

_MIGRATION_LOCK = 0x616D6C01
_PATIENCE_SECONDS = 5.0


def open_pool(settings: DatabaseSettings) -> Pool:
    """Opens nothing yet: `await pool.open()` does."""
    # The pool logs every failed attempt over several lines; readiness and `append.held_up` say it once.
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)
    password = settings.password_file.read_text("utf-8").strip() if settings.password_file else None
    conninfo = make_conninfo(settings.url, application_name="aml-ledger", connect_timeout=5)
    if password is not None:
        conninfo = make_conninfo(conninfo, password=password)
    return AsyncConnectionPool(
        conninfo,
        min_size=1,
        max_size=6,
        open=False,
        timeout=_PATIENCE_SECONDS,
        reconnect_timeout=10.0,
        check=AsyncConnectionPool.check_connection,
    )


async def migrate(connection: Connection) -> None:
    """Runs each `migrations/NNNN_*.sql` that was not run yet, all in one transaction, one process at a time."""
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATION_LOCK,))
        await connection.execute("CREATE SCHEMA IF NOT EXISTS ledger")
        await connection.execute("CREATE TABLE IF NOT EXISTS ledger.migrations (name text PRIMARY KEY)")
        cursor = await connection.execute("SELECT name FROM ledger.migrations")
        done = {str(row[0]) for row in await cursor.fetchall()}
        for name, text in migration_files():
            if name not in done:
                await connection.execute(text.encode())
                await connection.execute("INSERT INTO ledger.migrations (name) VALUES (%s)", (name,))
                log.info("database.migrated", migration=name)


@contextlib.asynccontextmanager
async def acting(pool: Pool, role: str) -> AsyncIterator[Connection]:
    """A transaction with the rights of `role` alone; with the login's own where that role may not be taken on."""
    async with pool.connection() as connection, connection.transaction():
        await connection.execute(_TAKE_ROLE, (role, role))
        yield connection


def migration_files() -> list[tuple[str, str]]:
    """Names and texts, in order."""
    folder = files("aml.ledger").joinpath("migrations")
    return sorted((each.name, each.read_text("utf-8")) for each in folder.iterdir() if each.name.endswith(".sql"))


async def database_problem(pool: Pool) -> str | None:
    try:
        async with pool.connection(timeout=2.0) as connection:
            await connection.execute("SELECT 1")
    except DATABASE_AWAY as error:
        return f"the database is unreachable: {str(error).splitlines()[0] if str(error) else type(error).__name__}"
    return None
