"""All of the ledger's SQL. Nothing here commits: the caller's transaction does."""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Any, cast
from uuid import UUID

from msgspec import Struct
from psycopg.rows import tuple_row

from aml.rules.merkle import Frontier, Node

from .append_batch import JobHead, Refused, Row
from .database import Connection

_COPY_ENTRIES = (
    "COPY ledger.entries (idx, event_id, kind, job_id, job_seq, unit, leaf, body) FROM STDIN (FORMAT BINARY)"
)
_SIGNING_LOCK = 0x616D6C02
_ENTRY_TYPES = ("int8", "uuid", "text", "text", "int8", "text", "bytea", "bytea")


class SignedRow(Struct, frozen=True, kw_only=True):
    size: int
    root: bytes
    note: str


async def lock_head(connection: Connection) -> Frontier:
    """Until the transaction ends nobody else appends."""
    row = await _one(connection, "SELECT size, frontier FROM ledger.head FOR UPDATE")
    return Frontier.from_bytes(row[0], row[1])


async def lock_signing(connection: Connection) -> None:
    """Until the transaction ends nobody else signs or publishes. Appending goes on."""
    await connection.execute("SELECT pg_advisory_xact_lock(%s)", (_SIGNING_LOCK,))


async def load_head(connection: Connection) -> Frontier:
    row = await _one(connection, "SELECT size, frontier FROM ledger.head")
    return Frontier.from_bytes(row[0], row[1])


async def load_stream_place(connection: Connection) -> tuple[int, str]:
    """The stream's sequence and subject of the last message that was dealt with; 0 before the first."""
    row = await _one(connection, "SELECT stream_seq, stream_subject FROM ledger.head")
    return row[0], row[1]


async def load_size(connection: Connection) -> int:
    return cast("int", (await _one(connection, "SELECT size FROM ledger.head"))[0])


async def update_head(connection: Connection, frontier: Frontier, stream_seq: int, stream_subject: str) -> None:
    await connection.execute(
        "UPDATE ledger.head SET size = %s, frontier = %s, stream_seq = %s, stream_subject = %s",
        (frontier.size, frontier.to_bytes(), stream_seq, stream_subject),
    )


async def load_known(connection: Connection, event_ids: Sequence[str]) -> set[str]:
    rows = await _all(
        connection, "SELECT event_id::text FROM ledger.entries WHERE event_id = ANY(%s::uuid[])", (list(event_ids),)
    )
    return {row[0] for row in rows}


async def load_heads(connection: Connection, job_ids: Sequence[str]) -> dict[str, JobHead]:
    rows = await _all(
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
    return await _all(
        connection, "SELECT idx, body FROM ledger.entries WHERE idx >= %s AND idx < %s ORDER BY idx", (start, stop)
    )


async def load_signable(connection: Connection, start: int, stop: int) -> list[tuple[int, bytes, bytes]]:
    """Index, leaf and bytes of the entries `[start, stop)`, in order."""
    return await _all(
        connection,
        "SELECT idx, leaf, body FROM ledger.entries WHERE idx >= %s AND idx < %s ORDER BY idx",
        (start, stop),
    )


async def load_job_bodies(connection: Connection, job_id: str, last_idx: int | None = None) -> list[bytes]:
    """A job's entries in the order of its chain, up to and with entry `last_idx`."""
    rows = await _all(
        connection,
        "SELECT body FROM ledger.entries WHERE job_id = %s AND idx <= coalesce(%s, 9223372036854775807) ORDER BY job_seq",
        (job_id, last_idx),
    )
    return [row[0] for row in rows]


async def stream_job_bodies(connection: Connection, job_id: str) -> AsyncIterator[bytes]:
    """A job's entries in the order of its chain, in pages: a job may have 10^5 of them."""
    after = -1
    while rows := await _all(
        connection,
        "SELECT job_seq, body FROM ledger.entries WHERE job_id = %s AND job_seq > %s ORDER BY job_seq LIMIT 1000",
        (job_id, after),
    ):
        for row in rows:
            yield row[1]
        after = rows[-1][0]


async def load_lock_bodies(connection: Connection, before_idx: int) -> list[bytes]:
    """`ReleaseLocked` entries before entry `before_idx`."""
    rows = await _all(
        connection,
        "SELECT body FROM ledger.entries WHERE kind = 'release_locked' AND idx < %s ORDER BY idx",
        (before_idx,),
    )
    return [row[0] for row in rows]


async def load_earlier_pass_bodies(connection: Connection, sealed_idx: int) -> list[bytes]:
    """`GatePassed` entries of the jobs that were sealed before `sealed_idx`, whenever they were decided."""
    rows = await _all(
        connection,
        "SELECT e.body FROM ledger.entries e JOIN ledger.jobs j ON j.job_id = e.job_id"
        " WHERE e.kind = 'gate_passed' AND j.sealed_idx < %s ORDER BY e.idx",
        (sealed_idx,),
    )
    return [row[0] for row in rows]


async def load_earlier_request_bodies(connection: Connection, before_idx: int) -> list[bytes]:
    """`JobRequested` entries before entry `before_idx`."""
    rows = await _all(
        connection,
        "SELECT body FROM ledger.entries WHERE kind = 'job_requested' AND idx < %s ORDER BY idx",
        (before_idx,),
    )
    return [row[0] for row in rows]


async def load_outcome_bodies(connection: Connection, job_ids: Sequence[str], before_idx: int) -> list[bytes]:
    """How the jobs went before entry `before_idx`: each one's first Add, its end, its decision. In log order."""
    rows = await _all(
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
    rows = await _all(
        connection,
        "SELECT job_id, entries, last_leaf, planned, ended, stopped, sealed_idx, gate_idx FROM ledger.jobs"
        " WHERE gate_idx IS NULL AND sealed_idx IS NULL AND (stopped IS NOT NULL OR ended >= planned)",
    )
    return [(row[0], JobHead(*row[1:])) for row in rows]


async def load_sealed_jobs(connection: Connection) -> list[tuple[str, int]]:
    """Sealed jobs without a decision, the earliest seal first."""
    return await _all(
        connection,
        "SELECT job_id, sealed_idx FROM ledger.jobs WHERE gate_idx IS NULL AND sealed_idx IS NOT NULL"
        " ORDER BY sealed_idx",
    )


async def load_stalled_jobs(connection: Connection, touched_before_ms: int) -> list[str]:
    rows = await _all(
        connection,
        "SELECT job_id FROM ledger.jobs WHERE gate_idx IS NULL AND sealed_idx IS NULL AND stopped IS NULL"
        " AND touched_ms < %s",
        (touched_before_ms,),
    )
    return [row[0] for row in rows]


async def load_checkpoint(connection: Connection, size: int | None = None) -> SignedRow | None:
    """The newest checkpoint, or the one of `size`."""
    return await _signed_row(connection, "SELECT size, root, note FROM ledger.checkpoints", size)


async def load_cosigned(connection: Connection, size: int | None = None) -> SignedRow | None:
    """The newest checkpoint with a quorum of witnesses, or the one of `size`."""
    query = "SELECT size, root, c.note FROM ledger.cosigned c JOIN ledger.checkpoints USING (size)"
    return await _signed_row(connection, query, size)


async def insert_checkpoint(connection: Connection, size: int, root: bytes, note: str, now_ms: int) -> None:
    await connection.execute(
        "INSERT INTO ledger.checkpoints (size, root, note, at) VALUES (%s, %s, %s, %s)", (size, root, note, now_ms)
    )


async def insert_cosigned(connection: Connection, size: int, note: str, now_ms: int) -> None:
    """Of two that asked the witnesses at once, the first one's lines stay."""
    await connection.execute(
        "INSERT INTO ledger.cosigned (size, note, at) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING", (size, note, now_ms)
    )


async def load_leaves(connection: Connection, ranges: Sequence[tuple[int, int]]) -> dict[int, bytes]:
    """Leaf hashes of all entries in the half-open ranges."""
    lows, highs = [low for low, _ in ranges], [high for _, high in ranges]
    rows = await _all(
        connection,
        "SELECT e.idx, e.leaf FROM unnest(%s::int8[], %s::int8[]) AS wanted (low, high)"
        " JOIN ledger.entries e ON e.idx >= wanted.low AND e.idx < wanted.high",
        (lows, highs),
    )
    return dict(rows)


async def load_nodes(connection: Connection, ranges: Sequence[tuple[int, int, int]]) -> dict[tuple[int, int], bytes]:
    """Hashes of stored nodes, by level and index, in the ranges `(level, low, high)`."""
    rows = await _all(
        connection,
        "SELECT n.level, n.idx, n.hash FROM unnest(%s::int2[], %s::int8[], %s::int8[]) AS wanted (level, low, high)"
        " JOIN ledger.nodes n ON n.level = wanted.level AND n.idx >= wanted.low AND n.idx < wanted.high",
        ([level for level, _, _ in ranges], [low for _, low, _ in ranges], [high for _, _, high in ranges]),
    )
    return {(row[0], row[1]): row[2] for row in rows}


async def _signed_row(connection: Connection, query: str, size: int | None) -> SignedRow | None:
    which = " ORDER BY size DESC LIMIT 1" if size is None else " WHERE size = %s"
    rows = await _all(connection, query + which, () if size is None else (size,))
    return SignedRow(size=rows[0][0], root=rows[0][1], note=rows[0][2]) if rows else None


async def _all(connection: Connection, query: str, values: Sequence[object] = ()) -> list[Any]:
    async with connection.cursor(binary=True, row_factory=tuple_row) as cursor:
        await cursor.execute(query.encode(), values)
        return await cursor.fetchall()


async def _one(connection: Connection, query: str, values: Sequence[object] = ()) -> Any:
    rows = await _all(connection, query, values)
    return rows[0]
