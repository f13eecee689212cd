"""The gateway's Postgres: one small pool of psycopg connections, plain migrations under an advisory lock."""

import asyncio
import contextlib
import os
import socket
from collections.abc import AsyncIterator, Iterator
from importlib import resources
from typing import Any

import psycopg
import structlog
from psycopg import AsyncConnection
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout

from aml.runtime.settings import DatabaseSettings

log = structlog.get_logger()

Connection = AsyncConnection[DictRow]

MAX_CONNECTIONS = 8
WAIT_SECONDS = 5.0
SILENT_SECONDS = 15.0
"""For all that one read or transaction does. A server that is gone without a word would else hold its callers for hours."""
_MIGRATION_LOCK = 0x616D6C_67  # "aml" "g": any number that only the gateway uses

DATABASE_AWAY = (psycopg.OperationalError, psycopg.InterfaceError, PoolTimeout, PoolClosed)
"""Unreachable, restarting, out of connections or read-only: the same call may succeed later."""


class Database:
    def __init__(self, settings: DatabaseSettings) -> None:
        password = settings.password_file.read_text("utf-8").strip() if settings.password_file else None
        self._connect: dict[str, Any] = {
            "autocommit": True,
            "row_factory": dict_row,
            "application_name": "aml-gateway",
            "connect_timeout": 5,
            "keepalives_idle": 10,
            "keepalives_interval": 5,
            "keepalives_count": 3,
            "tcp_user_timeout": 15_000,
        }
        if password is not None:
            self._connect["password"] = password
        self._url = settings.url
        self._pool: AsyncConnectionPool[Connection] = AsyncConnectionPool(
            settings.url,
            connection_class=AsyncConnection[DictRow],
            kwargs=self._connect,
            min_size=1,
            max_size=MAX_CONNECTIONS,
            timeout=WAIT_SECONDS,
            open=False,
        )

    async def open(self) -> None:
        """Waits for the database as long as it takes, migrates it, and opens the pool."""
        while True:
            try:
                async with await self.dedicated() as connection:
                    await migrate(connection)
                break
            except DATABASE_AWAY as error:
                log.warning("database.away", error=_first_line(error))
                await asyncio.sleep(0.5)
        await self._pool.open()

    async def close(self) -> None:
        await self._pool.close()

    async def dedicated(self) -> Connection:
        """A connection of one's own, beside the pool."""
        return await AsyncConnection[DictRow].connect(self._url, **self._connect)

    @contextlib.asynccontextmanager
    async def read(self, *, unhurried: bool = False) -> AsyncIterator[Connection]:
        """Each statement is a transaction of its own. `unhurried`: for what waits for others than the database meanwhile."""
        async with self._pool.connection() as connection:
            with contextlib.nullcontext() if unhurried else _hung_up_when_silent(connection):
                yield connection

    @contextlib.asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        async with self._pool.connection() as connection:
            with _hung_up_when_silent(connection):
                async with connection.transaction():
                    yield connection

    async def check(self) -> str | None:
        """For readiness: None, or what is wrong."""
        try:
            async with self.read() as connection:
                await connection.execute("SELECT 1")
        except DATABASE_AWAY as error:
            return f"the database is unreachable: {_first_line(error)}"
        return None


@contextlib.contextmanager
def _hung_up_when_silent(connection: Connection) -> Iterator[None]:
    """What waits for an answer then fails as with any lost connection. To cancel it would be to wait for the server once more."""
    timer = asyncio.get_running_loop().call_later(SILENT_SECONDS, _hang_up, connection)
    try:
        yield
    finally:
        timer.cancel()


def _hang_up(connection: Connection) -> None:
    log.warning("database.silent", seconds=SILENT_SECONDS)
    with contextlib.suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(connection.fileno())) as line:
        line.shutdown(socket.SHUT_RDWR)


async def migrate(connection: Connection) -> None:
    """Runs the numbered files that were not run yet, all or none. Safe to call from several processes at once."""
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATION_LOCK,))
        await connection.execute("CREATE SCHEMA IF NOT EXISTS gateway")
        await connection.execute(
            "CREATE TABLE IF NOT EXISTS gateway.migration (name text PRIMARY KEY, run_at timestamptz DEFAULT now())"
        )
        done = {
            row["name"] for row in await (await connection.execute("SELECT name FROM gateway.migration")).fetchall()
        }
        folder = resources.files("aml.gateway.storage") / "migrations"
        for file in sorted(
            (file for file in folder.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name
        ):
            if file.name not in done:
                await connection.execute(file.read_bytes())
                await connection.execute("INSERT INTO gateway.migration (name) VALUES (%s)", (file.name,))
                log.info("database.migrated", name=file.name)


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:300]
