"""SQLAlchemy Core statements on the psycopg pool: each is compiled once and then costs what its SQL text costs.

A `select_x`, `insert_x`, `update_x` or `upsert_x` takes no values: it is cached, and returns a statement whose values are `given`
by name. A `load_x`, or another verb, runs it on a connection with those values. Nothing here commits. Figures: docs/adr/0008.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

from msgspec import Struct
from psycopg import AsyncCursor
from psycopg.rows import DictRow, class_row, scalar_row
from sqlalchemy import BindParameter, bindparam
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.sql.elements import ClauseElement
from sqlalchemy.types import TypeEngine

from .database import Connection

R = TypeVar("R", bound=Struct)

LIVE = "gateway"
"""The schema that `tables` names. A rebuild runs the same statements in another one."""

_DIALECT: Callable[[], Any] = PGDialect_psycopg  # its constructor is untyped


class Compiled(Struct, frozen=True, kw_only=True):
    sql: bytes
    constants: dict[str, Any]
    """The values that the statement was built with; those that are `given` are not among them."""


def given(name: str, kind: TypeEngine[Any] | None = None) -> BindParameter[Any]:
    """A value that is passed when the statement is run. `kind` where no column beside it tells its type."""
    return bindparam(name, None, kind)


@lru_cache(maxsize=512)
def compiled(statement: ClauseElement, schema: str = LIVE) -> Compiled:
    """Remembered by the statement's identity, so a statement that is built anew for each call is compiled for each call."""
    elsewhere: dict[str, Any] = {"schema_translate_map": {LIVE: schema}, "render_schema_translate": True}
    found: Any = statement.compile(
        dialect=_DIALECT(),
        compile_kwargs={"render_postcompile": True},
        **({} if schema == LIVE else elsewhere),
    )
    run_time = {bind.key for bind in found.binds.values() if not bind.unique}
    return Compiled(
        sql=found.string.encode(),
        constants={name: value for name, value in found.params.items() if name not in run_time},
    )


async def execute(
    connection: Connection, statement: ClauseElement, schema: str = LIVE, /, **values: Any
) -> AsyncCursor[DictRow]:
    """Raises `psycopg.ProgrammingError` for a value that is not given."""
    ready = compiled(statement, schema)
    return await connection.execute(ready.sql, ready.constants | values)


async def fetch_all(connection: Connection, statement: ClauseElement, shape: type[R], /, **values: Any) -> list[R]:
    ready = compiled(statement)
    async with connection.cursor(row_factory=class_row(shape)) as cursor:
        await cursor.execute(ready.sql, ready.constants | values)
        return await cursor.fetchall()


async def fetch_one(connection: Connection, statement: ClauseElement, shape: type[R], /, **values: Any) -> R | None:
    ready = compiled(statement)
    async with connection.cursor(row_factory=class_row(shape)) as cursor:
        await cursor.execute(ready.sql, ready.constants | values)
        return await cursor.fetchone()


async def fetch_column(connection: Connection, statement: ClauseElement, /, **values: Any) -> list[Any]:
    """The first column of each row."""
    ready = compiled(statement)
    async with connection.cursor(row_factory=scalar_row) as cursor:
        await cursor.execute(ready.sql, ready.constants | values)
        return await cursor.fetchall()


async def fetch_value(connection: Connection, statement: ClauseElement, /, **values: Any) -> Any:
    """The first column of the first row; None without a row."""
    ready = compiled(statement)
    async with connection.cursor(row_factory=scalar_row) as cursor:
        await cursor.execute(ready.sql, ready.constants | values)
        return await cursor.fetchone()
