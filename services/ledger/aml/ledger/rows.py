"""How rows are fetched: in binary, as tuples. The columns' types are the query's affair."""

from collections.abc import Sequence
from typing import Any

from psycopg.rows import tuple_row

from .database import Connection


async def fetch_all(connection: Connection, query: str, values: Sequence[object] = ()) -> list[Any]:
    async with connection.cursor(binary=True, row_factory=tuple_row) as cursor:
        await cursor.execute(query.encode(), values)
        return await cursor.fetchall()


async def fetch_one(connection: Connection, query: str, values: Sequence[object] = ()) -> Any:
    rows = await fetch_all(connection, query, values)
    return rows[0]
