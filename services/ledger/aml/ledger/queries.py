"""The ledger's SQL, without what the signer asks (`checkpoint_queries`). Nothing here commits: the caller's transaction does."""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from uuid import UUID

from aml.rules.merkle import Frontier, Node

from .append_batch import JobHead, Refused, Row
from .database import Connection
from .rows import fetch_all, fetch_one

_COPY_ENTRIES = (
    "COPY ledger.entries (idx, event_id, kind, job_id, job_seq, unit, leaf, body) FROM STDIN (FORMAT BINARY)"
)
_ENTRY_TYPES = ("int8", "uuid", "text", "text", "int8", "text", "bytea", "bytea")


async def lock_head(connection: Connection) -> Frontier:
    """Until the transaction ends nobody else appends."""
    row = await fetch_one(connection, "SELECT size, frontier FROM ledger.head FOR UPDATE")
    return Frontier.from_bytes(row[0], row[1])


async def load_stream_place(connection: Connection) -> tuple[int, str]:
    """The stream's sequence and subject of the last message that was dealt with; 0 before the first."""
    row = await fetch_one(connection, "SELECT stream_seq, stream_subject FROM ledger.head")
    return row[0], row[1]


async def update_head(connection: Connection, frontier: Frontier, stream_seq: int, stream_subject: str) -> None:
    await connection.execute(
        "UPDATE ledger.head SET size = %s, frontier = %s, stream_seq = %s, stream_subject = %s",
        (frontier.size, frontier.to_bytes(), stream_seq, stream_subject),
    )


async def load_known(connection: Connection, event_ids: Sequence[str]) -> set[str]:
    rows = await fetch_all(
        connection, "SELECT event_id::text FROM ledger.entries WHERE event_id = ANY(%s::uuid[])", (list(event_ids),)
    )
    return {row[0] for row in rows}


async def load_indices(connection: Connection, event_ids: Sequence[str]) -> dict[str, int]:
    """Of those that the log holds."""
    rows = await fetch_all(
        connection,
        "SELECT event_id::text, idx FROM ledger.entries WHERE event_id = ANY(%s::uuid[])",
        (list(event_ids),),
    )
    return {row[0]: row[1] for row in rows}


async def load_heads(connection: Connection, job_ids: Sequence[str]) -> dict[str, JobHead]:
    rows = await fetch_all(
        connection,
        "SELECT job_id, entries, last_leaf, planned, ended, stopped, sealed_idx, gate_idx"
        " FROM ledger.jobs WHERE job_id = ANY(%s)",
        (list(job_ids),),
    )
    return {row[0]: JobHead(*row[1:]) for row in rows}


async def copy_entries(connection: Connection, rows: Iterable[Row]) -> None:
    async with connection.cursor() as cursor, cursor.copy(_COPY_ENTRIES) as copy:
        copy.set_types(_ENTRY_TYPES)
        for row in rows:
            await copy.write_row(
                (row.idx, UUID(row.event_id), row.kind, row.job_id, row.job_seq, row.unit, row.leaf, row.body)
            )


async def insert_nodes(connection: Connection, nodes: Sequence[Node]) -> None:
    if nodes:
        levels, indices, hashes = zip(*nodes, strict=True)
        await connection.execute(
            "INSERT INTO ledger.nodes (level, idx, hash) SELECT * FROM unnest(%s::int2[], %s::int8[], %s::bytea[])",
            (list(levels), list(indices), list(hashes)),
        )


async def upsert_jobs(connection: Connection, jobs: Mapping[str, JobHead], now_ms: int) -> None:
    heads = list(jobs.values())
    await connection.execute(
        "INSERT INTO ledger.jobs"
        " (job_id, entries, last_leaf, planned, ended, stopped, sealed_idx, gate_idx, touched_ms)"
        " SELECT *, %s FROM unnest(%s::text[], %s::int8[], %s::bytea[], %s::int8[], %s::int8[],"
        " %s::text[], %s::int8[], %s::int8[])"
        " ON CONFLICT (job_id) DO UPDATE SET entries = EXCLUDED.entries, last_leaf = EXCLUDED.last_leaf,"
        " planned = EXCLUDED.planned, ended = EXCLUDED.ended, stopped = EXCLUDED.stopped,"
        " sealed_idx = EXCLUDED.sealed_idx, gate_idx = EXCLUDED.gate_idx, touched_ms = EXCLUDED.touched_ms",
        (
            now_ms,
            list(jobs),
            [head.entries for head in heads],
            [head.last_leaf for head in heads],
            [head.planned for head in heads],
            [head.ended for head in heads],
            [head.stopped for head in heads],
            [head.sealed_idx for head in heads],
            [head.gate_idx for head in heads],
        ),
    )


async def insert_refused(connection: Connection, refused: Sequence[Refused], now_ms: int) -> None:
    for each in refused:
        await connection.execute(
            "INSERT INTO ledger.refused (digest, subject, problem, body, at) VALUES (%s, %s, %s, %s, %s)"
            " ON CONFLICT DO NOTHING",
            (each.digest, each.subject, each.problem, each.data, now_ms),
        )


async def load_bodies(connection: Connection, start: int, stop: int) -> list[tuple[int, bytes]]:
    """Index and bytes of the entries `[start, stop)`, in order."""
    return await fetch_all(
        connection, "SELECT idx, body FROM ledger.entries WHERE idx >= %s AND idx < %s ORDER BY idx", (start, stop)
    )


async def load_job_bodies(connection: Connection, job_id: str, last_idx: int | None = None) -> list[bytes]:
    """A job's entries in the order of its chain, up to and with entry `last_idx`."""
    rows = await fetch_all(
        connection,
        "SELECT body FROM ledger.entries WHERE job_id = %s AND idx <= coalesce(%s, 9223372036854775807) ORDER BY job_seq",
        (job_id, last_idx),
    )
    return [row[0] for row in rows]


async def stream_job_bodies(connection: Connection, job_id: str) -> AsyncIterator[bytes]:
    """A job's entries in the order of its chain, in pages: a job may have 10^5 of them."""
    after = -1
    while rows := await fetch_all(
        connection,
        "SELECT job_seq, body FROM ledger.entries WHERE job_id = %s AND job_seq > %s ORDER BY job_seq LIMIT 1000",
        (job_id, after),
    ):
        for row in rows:
            yield row[1]
        after = rows[-1][0]


async def load_lock_bodies(connection: Connection, before_idx: int) -> list[bytes]:
    """`ReleaseLocked` and `JudgeCalibrated` entries before entry `before_idx`."""
    rows = await fetch_all(
        connection,
        "SELECT idx, body FROM ledger.entries WHERE kind = 'release_locked' AND idx < %s UNION ALL"
        " SELECT idx, body FROM ledger.entries WHERE kind = 'judge_calibrated' AND idx < %s ORDER BY idx",
        (before_idx, before_idx),
    )
    return [row[1] for row in rows]


async def load_earlier_pass_bodies(connection: Connection, sealed_idx: int) -> list[bytes]:
    """`GatePassed` entries of the jobs that were sealed before `sealed_idx`, whenever they were decided."""
    rows = await fetch_all(
        connection,
        "SELECT e.body FROM ledger.entries e JOIN ledger.jobs j ON j.job_id = e.job_id"
        " WHERE e.kind = 'gate_passed' AND j.sealed_idx < %s ORDER BY e.idx",
        (sealed_idx,),
    )
    return [row[0] for row in rows]


async def load_earlier_request_bodies(connection: Connection, before_idx: int) -> list[bytes]:
    """`JobRequested` entries before entry `before_idx`."""
    rows = await fetch_all(
        connection,
        "SELECT body FROM ledger.entries WHERE kind = 'job_requested' AND idx < %s ORDER BY idx",
        (before_idx,),
    )
    return [row[0] for row in rows]


async def load_outcome_bodies(connection: Connection, job_ids: Sequence[str], before_idx: int) -> list[bytes]:
    """How the jobs went before entry `before_idx`: each one's first Add, its end, its decision. In log order."""
    rows = await fetch_all(
        connection,
        "SELECT idx, body FROM ledger.entries WHERE job_id = ANY(%s) AND idx < %s"
        " AND kind IN ('job_failed', 'job_cancelled', 'job_sealed', 'gate_passed', 'gate_refused')"
        " UNION ALL (SELECT DISTINCT ON (job_id) idx, body FROM ledger.entries"
        " WHERE job_id = ANY(%s) AND idx < %s AND kind = 'chunk_added' ORDER BY job_id, job_seq) ORDER BY idx",
        (list(job_ids), before_idx, list(job_ids), before_idx),
    )
    return [row[1] for row in rows]


async def load_closable_jobs(connection: Connection) -> list[tuple[str, JobHead]]:
    """Jobs without a seal that look finished."""
    rows = await fetch_all(
        connection,
        "SELECT job_id, entries, last_leaf, planned, ended, stopped, sealed_idx, gate_idx FROM ledger.jobs"
        " WHERE gate_idx IS NULL AND sealed_idx IS NULL AND (stopped IS NOT NULL OR ended >= planned)",
    )
    return [(row[0], JobHead(*row[1:])) for row in rows]


async def load_sealed_jobs(connection: Connection) -> list[tuple[str, int]]:
    """Sealed jobs without a decision, the earliest seal first."""
    return await fetch_all(
        connection,
        "SELECT job_id, sealed_idx FROM ledger.jobs WHERE gate_idx IS NULL AND sealed_idx IS NOT NULL"
        " ORDER BY sealed_idx",
    )


async def load_stalled_jobs(connection: Connection, touched_before_ms: int) -> list[str]:
    rows = await fetch_all(
        connection,
        "SELECT job_id FROM ledger.jobs WHERE gate_idx IS NULL AND sealed_idx IS NULL AND stopped IS NULL"
        " AND touched_ms < %s",
        (touched_before_ms,),
    )
    return [row[0] for row in rows]


async def load_leaves(connection: Connection, ranges: Sequence[tuple[int, int]]) -> dict[int, bytes]:
    """Leaf hashes of all entries in the half-open ranges."""
    lows, highs = [low for low, _ in ranges], [high for _, high in ranges]
    rows = await fetch_all(
        connection,
        "SELECT e.idx, e.leaf FROM unnest(%s::int8[], %s::int8[]) AS wanted (low, high)"
        " JOIN ledger.entries e ON e.idx >= wanted.low AND e.idx < wanted.high",
        (lows, highs),
    )
    return dict(rows)


async def load_nodes(connection: Connection, ranges: Sequence[tuple[int, int, int]]) -> dict[tuple[int, int], bytes]:
    """Hashes of stored nodes, by level and index, in the ranges `(level, low, high)`."""
    rows = await fetch_all(
        connection,
        "SELECT n.level, n.idx, n.hash FROM unnest(%s::int2[], %s::int8[], %s::int8[]) AS wanted (level, low, high)"
        " JOIN ledger.nodes n ON n.level = wanted.level AND n.idx >= wanted.low AND n.idx < wanted.high",
        ([level for level, _, _ in ranges], [low for _, low, _ in ranges], [high for _, _, high in ranges]),
    )
    return {(row[0], row[1]): row[2] for row in rows}
