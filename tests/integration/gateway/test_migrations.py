"""A database of an earlier schema, with what people wrote into it, becomes the present one."""

from importlib import resources

from aml.gateway.storage.database import Connection, Database, migrate
from aml.runtime.settings import DatabaseSettings

FIRST = ("0001_access_and_jobs.sql", "0002_projection.sql", "0003_evidence_shredded.sql")
LABELS = ("run 1", "run  1", "run 1 job-1", "run\u00a01", "\ufdfa" * 120)
"""Two that read alike, one that reads as an older form of the other's key, and one that no index holds unhashed."""


async def test_labels_that_read_alike_keep_their_runs(fresh_database_url: str) -> None:
    async with await Database(DatabaseSettings(url=fresh_database_url)).dedicated() as connection:
        await at_first_schema(connection)
        for number, label in enumerate(LABELS):
            await connection.execute(
                "INSERT INTO gateway.job (job_id, key_id, version_id, mode, arm, track, run_label, release_id, release_digest,"
                " datasets, add_concurrency, search_concurrency, state, requested_at) VALUES (%s, 'key-1', 'ver-1', 'smoke',"
                " 'participant', 'textual', %s, 'practice', %s, '[]', 1, 1, 'completed', now() + %s * interval '1 s')",
                (f"job-{number}", label, "a" * 64, number),
            )

        await migrate(connection)

        rows = await (
            await connection.execute("SELECT run_label, run_label_key FROM gateway.job ORDER BY job_id")
        ).fetchall()
        used = await (
            await connection.execute("SELECT first_used_at IS NOT NULL AS used FROM gateway.api_key")
        ).fetchall()

    assert tuple(row["run_label"] for row in rows) == LABELS
    assert len({row["run_label_key"] for row in rows}) == len(LABELS)
    assert (rows[0]["run_label_key"], rows[2]["run_label_key"]) == ("run 1", "run 1 job-1")
    assert used == [{"used": True}]


async def at_first_schema(connection: Connection) -> None:
    await connection.execute(
        "CREATE SCHEMA gateway;CREATE TABLE gateway.migration (name text PRIMARY KEY, run_at timestamptz DEFAULT now())"
    )
    folder = resources.files("aml.gateway.storage") / "migrations"
    for name in FIRST:
        await connection.execute((folder / name).read_bytes())
        await connection.execute("INSERT INTO gateway.migration (name) VALUES (%s)", (name,))
    await connection.execute(
        "INSERT INTO gateway.api_key (key_id, role, label, prefix, hash) VALUES ('key-1', 'participant', 'l', 'aml_p_x', 'h');"
        "INSERT INTO gateway.system_version (version_id, key_id, system, version, track, division, arm, own_run,"
        " max_add_concurrency, max_search_concurrency)"
        " VALUES ('ver-1', 'key-1', 's', '1', 'textual', 'open_source', 'participant', false, 1, 1)"
    )
