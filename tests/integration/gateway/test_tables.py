"""`tables.py` and every statement, held against a migrated database."""

from collections.abc import AsyncIterator, Callable
from types import ModuleType

import psycopg
import pytest
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.sql.elements import ClauseElement

from aml.gateway.access import access_queries, retired_secret_queries, version_queries
from aml.gateway.donations import proposal_queries
from aml.gateway.edge import idempotency_queries
from aml.gateway.jobs import job_queries, new_job_queries, quota_queries
from aml.gateway.keys import key_queries, replacement_queries
from aml.gateway.operations import overview_queries, parked_queries
from aml.gateway.public import cycles
from aml.gateway.read_model import projection_queries, retention_queries
from aml.gateway.results import comparison_queries, question_queries, result_queries
from aml.gateway.review import attestation_queries, disclosure_queries, own_system, review_queries
from aml.gateway.storage import outbox_queries, start_queries, track_lock
from aml.gateway.storage.database import Connection, Database, migrate
from aml.gateway.storage.statements import compiled
from aml.gateway.storage.tables import metadata
from aml.runtime.settings import DatabaseSettings

OWN_TO_MIGRATING = "migration"
MODULES = (
    access_queries,
    attestation_queries,
    comparison_queries,
    cycles,
    disclosure_queries,
    idempotency_queries,
    job_queries,
    key_queries,
    new_job_queries,
    outbox_queries,
    overview_queries,
    own_system,
    parked_queries,
    projection_queries,
    proposal_queries,
    question_queries,
    quota_queries,
    replacement_queries,
    result_queries,
    retention_queries,
    retired_secret_queries,
    review_queries,
    start_queries,
    track_lock,
    track_lock,
    version_queries,
)


def statements_of(module: ModuleType) -> dict[str, Callable[[], ClauseElement]]:
    return {
        f"{module.__name__}.{name}": build
        for name, build in vars(module).items()
        if getattr(build, "__module__", None) == module.__name__ and hasattr(build, "cache_info")
    }


STATEMENTS = {name: build for module in MODULES for name, build in statements_of(module).items()}


@pytest.fixture
async def connection(fresh_database_url: str) -> AsyncIterator[Connection]:
    async with await Database(DatabaseSettings(url=fresh_database_url)).dedicated() as connection:
        await migrate(connection)
        yield connection


async def test_tables_are_those_of_the_migrations(connection: Connection) -> None:
    rows = await (
        await connection.execute(
            "SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull "
            "FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid "
            "WHERE c.relnamespace = 'gateway'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped "
            "AND c.relname <> %s",
            (OWN_TO_MIGRATING,),
        )
    ).fetchall()
    dialect = PGDialect_psycopg()  # type: ignore[no-untyped-call]

    in_database = {(row["relname"], row["attname"], row["type"], row["attnotnull"]) for row in rows}
    in_code = {
        (table.name, column.name, column.type.compile(dialect).lower(), not column.nullable)
        for table in metadata.tables.values()
        for column in table.columns
    }

    assert in_code == in_database


async def test_every_statement_is_one_that_postgres_takes(connection: Connection) -> None:
    refused = {}
    for name, build in STATEMENTS.items():
        statement = build()
        assert build() is statement, f"{name} is built anew for each call"
        ready = compiled(statement)
        values = dict.fromkeys(run_time_names(ready.sql), None) | ready.constants
        try:
            await connection.execute(b"EXPLAIN " + ready.sql, values)
        except psycopg.Error as error:
            refused[name] = str(error)

    assert refused == {}
    assert len(STATEMENTS) > 30


def run_time_names(text: bytes) -> list[str]:
    return [part.split(")s", 1)[0] for part in text.decode().split("%(")[1:]]
