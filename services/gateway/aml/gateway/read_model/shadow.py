"""The read model's tables once more, in a schema of their own: filled from the ledger, compared, and put in place.

Nothing here commits. When something arrived, and what arrived last (`_ARRIVALS`), is not in the log: those columns are not
compared, and a swap keeps what the live rows say.
"""

import hashlib
from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct
from psycopg import sql
from psycopg.rows import scalar_row

from aml.contracts.events import Event
from aml.gateway.jobs.job_queries import ACTIVE
from aml.gateway.storage.database import Connection
from aml.gateway.storage.statements import LIVE
from aml.gateway.storage.tables import board, fact, job, job_progress, job_result, parked, unit

from .fold import fold
from .projection_queries import apply_fold

SHADOW: Final = "gateway_shadow"

_TABLES: Final = {table.name: table for table in (fact, job_progress, unit, job_result, parked, board)}
_OF_JOB: Final = (
    *("state", "sealed", "ended_at", "failure_stage", "failure_reason", "failure_detail"),
    *("gate", "seal", "evidence_shredded"),
)
"""What the stream says about a job; its other columns are the gateway's own."""
_ARRIVALS: Final = {
    "job_progress": (
        *("planned_at", "first_add_at", "last_at", "moved_at"),
        *("trouble_at", "trouble_stage", "trouble_reason", "trouble_detail"),
    ),
    "parked": ("parked_at", "requeued_at"),
    "board": ("published_at",),
    "job": ("ended_at",),
}


class Difference(Struct, frozen=True, kw_only=True):
    table: str
    only_live: int
    """Rows, or versions of rows, that the log does not account for."""
    only_logged: int
    jobs: tuple[str, ...]
    """The first of them."""


class GatewayProjector:
    """Over the live schema or over the shadow's."""

    def __init__(self, connection: Connection, schema: str = LIVE) -> None:
        self._connection = connection
        self._schema = schema

    async def apply(self, events: Sequence[Event]) -> None:
        await apply_fold(self._connection, fold(events), self._schema)

    async def digest(self) -> str:
        hasher = hashlib.sha256()
        for name in (*_TABLES, "job"):
            query = sql.SQL("SELECT row::text FROM ({}) AS rows (row) ORDER BY row::text COLLATE {}").format(
                _rows(name, self._schema), sql.Identifier("C")
            )
            hasher.update(f"{name}\n".encode())
            async with self._connection.cursor(row_factory=scalar_row) as cursor:
                await cursor.execute(query)
                async for row in cursor:
                    hasher.update(f"{row}\n".encode())
        return hasher.hexdigest()


async def make_shadow(connection: Connection) -> GatewayProjector:
    """Empty, but for the jobs that the gateway knows, as they were when they were requested."""
    await drop_shadow(connection)
    await _run(connection, "CREATE SCHEMA {shadow}")
    for name in _TABLES:
        await _run(connection, "CREATE TABLE {shadow}.{table} (LIKE {live}.{table} INCLUDING ALL)", table=name)
    # Without its unique indexes: one job at a time is active, and here all of them begin as queued.
    await _run(connection, "CREATE TABLE {shadow}.job (LIKE {live}.job INCLUDING DEFAULTS, PRIMARY KEY (job_id))")
    own = [column.name for column in job.columns if column.name not in _OF_JOB]
    columns = sql.SQL(", ").join(map(sql.Identifier, own))
    await _run(
        connection,
        "INSERT INTO {shadow}.job ({columns}, state) SELECT {columns}, 'queued' FROM {live}.job",
        columns=columns,
    )
    return GatewayProjector(connection, SHADOW)


async def drop_shadow(connection: Connection) -> None:
    await _run(connection, "DROP SCHEMA IF EXISTS {shadow} CASCADE")


async def hold_live(connection: Connection) -> None:
    """Until the transaction ends nobody folds; everybody reads."""
    tables = sql.SQL(", ").join(sql.Identifier(LIVE, name) for name in (*_TABLES, "job"))
    await _run(connection, "LOCK TABLE {tables} IN EXCLUSIVE MODE", tables=tables)


async def find_differences(connection: Connection, *, show: int = 20) -> tuple[Difference, ...]:
    found = []
    for name in (*_TABLES, "job"):
        live, logged = _rows(name, LIVE), _rows(name, SHADOW)
        only_live, jobs_live = await _extra(connection, live, logged, show)
        only_logged, jobs_logged = await _extra(connection, logged, live, show)
        if only_live or only_logged:
            jobs = tuple(sorted({*jobs_live, *jobs_logged})[:show])
            found.append(Difference(table=name, only_live=only_live, only_logged=only_logged, jobs=jobs))
    return tuple(found)


async def count_unlogged(connection: Connection) -> int:
    """Facts that were counted and that the log does not hold: not yet, or never."""
    query = sql.SQL(
        "SELECT count(*) FROM (SELECT {key} FROM {live}.fact EXCEPT SELECT {key} FROM {shadow}.fact) AS more"
    )
    key = sql.SQL("job_id, kind, unit")
    return await _value(connection, query.format(key=key, live=sql.Identifier(LIVE), shadow=sql.Identifier(SHADOW)))


async def put_in_place(connection: Connection) -> None:
    """The live tables get the shadow's rows. They stay the same tables, with their indexes and grants; readers wait."""
    for name, table in _TABLES.items():
        if kept := _ARRIVALS.get(name):
            await _run(
                connection,
                "UPDATE {shadow}.{table} AS s SET {kept} FROM {live}.{table} AS l WHERE {same}",
                table=name,
                kept=_each("{0} = l.{0}", kept, ", "),
                same=_each("s.{0} = l.{0}", [column.name for column in table.primary_key], " AND "),
            )
        await _run(connection, "TRUNCATE {live}.{table}", table=name)
        await _run(connection, "INSERT INTO {live}.{table} SELECT * FROM {shadow}.{table}", table=name)
    columns = _each("{0} = s.{0}", [name for name in _OF_JOB if name not in ("state", "ended_at")], ", ")
    for ended in (True, False):  # first those that make room: one job of a key and track is active
        await _run(
            connection,
            "UPDATE {live}.job AS l SET {columns}, state = s.state,"
            " ended_at = CASE WHEN {ended} THEN coalesce(l.ended_at, s.ended_at) END FROM {shadow}.job AS s"
            " WHERE s.job_id = l.job_id AND (s.state <> ALL ({active})) = {ended}"
            # Cancelled here, and still on its way to the stream.
            " AND NOT (l.state = 'cancelled' AND s.state = ANY ({active}))",
            columns=columns,
            ended=sql.Literal(ended),
            active=sql.Literal(list(ACTIVE)),
        )
    await drop_shadow(connection)


def _rows(table: str, schema: str) -> sql.Composed:
    """One `jsonb` a row (its text is canonical), without what is not compared."""
    if table == "job":
        names = ("job_id", *(name for name in _OF_JOB if name not in _ARRIVALS["job"]))
    else:
        names = tuple(column.name for column in _TABLES[table].columns if column.name not in _ARRIVALS.get(table, ()))
    pairs = sql.SQL(", ").join(part for name in names for part in (sql.Literal(name), sql.Identifier(name)))
    return sql.SQL("SELECT jsonb_build_object({}) FROM {}").format(pairs, sql.Identifier(schema, table))


async def _extra(
    connection: Connection, some: sql.Composed, others: sql.Composed, show: int
) -> tuple[int, tuple[str, ...]]:
    more = sql.SQL("({} EXCEPT ALL {}) AS more (row)").format(some, others)
    count = await _value(connection, sql.SQL("SELECT count(*) FROM {}").format(more))
    if not count:
        return 0, ()
    query = sql.SQL("SELECT DISTINCT row->>'job_id' FROM {} WHERE row ? 'job_id' ORDER BY 1 LIMIT {}")
    async with connection.cursor(row_factory=scalar_row) as cursor:
        await cursor.execute(query.format(more, sql.Literal(show)))
        return count, tuple(await cursor.fetchall())


async def _value(connection: Connection, query: sql.Composed) -> int:
    async with connection.cursor(row_factory=scalar_row) as cursor:
        await cursor.execute(query)
        return int((await cursor.fetchone()) or 0)


def _each(form: str, names: Sequence[str], between: str) -> sql.Composed:
    return sql.SQL(between).join(sql.SQL(form).format(sql.Identifier(name)) for name in names)


async def _run(connection: Connection, query: str, *, table: str | None = None, **parts: Any) -> None:
    names = {"live": sql.Identifier(LIVE), "shadow": sql.Identifier(SHADOW)}
    if table is not None:
        names["table"] = sql.Identifier(table)
    await connection.execute(sql.SQL(query).format(**names, **parts))
