"""All SQL of the projection. Rows travel as one JSON text a statement: 0.2 µs a row here, and Postgres takes it apart."""

from typing import assert_never

import msgspec

from aml.contracts.boards import BoardPublished
from aml.contracts.events import encode_event
from aml.contracts.jobs import JobCancelled, JobFailed, JobPlanned
from aml.contracts.seals import GatePassed, GateRefused, JobSealed
from aml.contracts.units import UnitParked

from .database import Connection
from .fold import Fold, Kind, Milestone

_COUNTERS: dict[str, tuple[Kind, ...]] = {
    "chunks_added": (Kind.CHUNK_ADDED,),
    "samples_ingested": (Kind.SAMPLE_INGESTED,),
    "opened": (Kind.OPENED,),
    "searched": (Kind.SEARCHED,),
    "answered": (Kind.ANSWERED,),
    "correct": (Kind.CORRECT,),
    "incorrect": (Kind.INCORRECT,),
    "graded": (Kind.GRADED,),
    "unscored": (Kind.UNSCORED, Kind.UNSCORED_BY_PLATFORM),
    "unscored_by_platform": (Kind.UNSCORED_BY_PLATFORM,),
    "requeued": (Kind.REQUEUED,),
    "parked": (Kind.PARKED,),
}

_COUNT_FACTS = f"""
    WITH fresh AS (
        INSERT INTO gateway.fact (job_id, kind, unit, retries)
        SELECT r->>0, (r->>1)::smallint, r->>2, (r->>3)::integer FROM json_array_elements(%s::json) AS r
        ON CONFLICT DO NOTHING RETURNING job_id, kind, retries
    )
    INSERT INTO gateway.job_progress AS p (job_id, retries, first_add_at, {", ".join(_COUNTERS)})
    SELECT job_id, sum(retries), CASE WHEN count(*) FILTER (WHERE kind = {Kind.CHUNK_ADDED:d}) > 0 THEN now() END,
           {
    ", ".join(
        f"count(*) FILTER (WHERE kind IN ({', '.join(str(int(kind)) for kind in kinds)}))"
        for kinds in _COUNTERS.values()
    )
}
    FROM fresh GROUP BY job_id ORDER BY job_id
    ON CONFLICT (job_id) DO UPDATE SET
        retries = p.retries + excluded.retries,
        first_add_at = coalesce(p.first_add_at, excluded.first_add_at),
        last_at = now(),
        {", ".join(f"{name} = p.{name} + excluded.{name}" for name in _COUNTERS)}
"""  # noqa: S608  built from the constants above

_UNIT_COLUMNS = {
    "dataset": "text", "sample": "text", "item": "integer", "category": "text", "outcome": "text", "score": "integer",
    "rule": "text", "evidence_recall": "integer", "stage": "text", "reason": "text", "detail": "text",
    "returned": "integer", "search_attempts": "integer", "search_micros": "bigint", "context_items": "integer",
    "prompt_tokens": "integer", "answer_micros": "bigint", "answer_calls": "integer", "judge_calls": "integer",
}  # fmt: skip

_MERGE_UNITS = f"""
    INSERT INTO gateway.unit AS u (job_id, unit, {", ".join(_UNIT_COLUMNS)})
    SELECT * FROM json_to_recordset(%s::json)
        AS r (job_id text, unit text, {", ".join(f"{name} {kind}" for name, kind in _UNIT_COLUMNS.items())})
    ORDER BY 1, 2
    ON CONFLICT (job_id, unit) DO UPDATE SET
        {", ".join(f"{name} = coalesce(excluded.{name}, u.{name})" for name in _UNIT_COLUMNS)}
"""  # noqa: S608  built from the constants above


async def apply_fold(connection: Connection, folded: Fold) -> None:
    """Idempotent: the same events again change nothing but `last_at`."""
    if folded.facts:
        await connection.execute(_COUNT_FACTS, (_as_json(folded.facts),))
    if folded.units:
        await connection.execute(_MERGE_UNITS, (_as_json(list(folded.units.values())),))
    for milestone in folded.milestones:
        await _apply(connection, milestone)


async def _apply(connection: Connection, event: Milestone) -> None:
    match event:
        case JobPlanned():
            await _plan(connection, event)
        case JobFailed():
            await connection.execute(
                "UPDATE gateway.job SET failure_stage = %s, failure_reason = %s, failure_detail = %s, state = 'failed', "
                "ended_at = coalesce(ended_at, now()) WHERE job_id = %s AND failure_reason IS NULL",
                (event.stage, event.reason, _without_nul(event.detail), event.job_id),
            )
        case JobCancelled():
            await connection.execute(
                "UPDATE gateway.job SET state = 'cancelled', ended_at = coalesce(ended_at, now()) "
                "WHERE job_id = %s AND NOT sealed AND state IN ('queued', 'running')",
                (event.job_id,),
            )
        case JobSealed():
            # The ledger's word is the last one, whatever was thought before.
            await connection.execute(
                "UPDATE gateway.job SET state = %s, sealed = true, ended_at = coalesce(ended_at, now()) WHERE job_id = %s",
                (event.state, event.job_id),
            )
        case GatePassed() | GateRefused():
            await _decide(connection, event)
        case UnitParked():
            await connection.execute(
                "INSERT INTO gateway.parked (job_id, unit, stage, trigger, error) VALUES (%s, %s, %s, %s, %s) "
                "ON CONFLICT DO NOTHING",
                (event.job_id, event.unit, event.stage, event.trigger, _without_nul(event.error)),
            )
        case BoardPublished():
            await connection.execute(
                "INSERT INTO gateway.board (board_id, version, rows, tree_size) VALUES (%s, %s, %s, %s) "
                "ON CONFLICT DO NOTHING",
                (event.board_id, event.version, event.rows, event.tree_size),
            )
        case _:
            assert_never(event)


async def _plan(connection: Connection, event: JobPlanned) -> None:
    await connection.execute(
        """
        INSERT INTO gateway.job_progress AS p (job_id, planned_at, samples, chunks, questions) VALUES (%s, now(), %s, %s, %s)
        ON CONFLICT (job_id) DO UPDATE SET planned_at = coalesce(p.planned_at, now()), samples = excluded.samples,
            chunks = excluded.chunks, questions = excluded.questions, last_at = now()
        """,
        (event.job_id, event.samples, event.chunks, event.questions),
    )
    await connection.execute(
        "UPDATE gateway.job SET state = 'running' WHERE job_id = %s AND state = 'queued'", (event.job_id,)
    )


async def _decide(connection: Connection, event: GatePassed | GateRefused) -> None:
    passed = isinstance(event, GatePassed)
    await connection.execute(
        "INSERT INTO gateway.job_result (job_id, passed, event) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
        (event.job_id, passed, encode_event(event)),
    )
    await connection.execute(
        "UPDATE gateway.job SET gate = %s, seal = %s WHERE job_id = %s AND gate IS NULL",
        ("passed" if passed else "refused", event.seal, event.job_id),
    )


def _as_json(rows: object) -> str:
    """Postgres holds no NUL in text, so its escape is replaced; the stream and the ledger keep what was said."""
    return msgspec.json.encode(rows).decode().replace("\\u0000", "\\ufffd")


def _without_nul(text: str) -> str:
    return text.replace("\x00", "\ufffd")
