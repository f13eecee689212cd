"""The projection's statements. Takes a connection, never commits.

Facts and units are the hot path and stay written out: their rows travel as one JSON text a statement (0.2 µs a row here), and
Postgres takes it apart. Milestones are seldom.
"""

from functools import cache
from typing import assert_never

import msgspec
from sqlalchemy import Insert, Text, Update, func, update
from sqlalchemy.dialects.postgresql import insert

from aml.contracts.boards import BoardPublished
from aml.contracts.events import encode_event
from aml.contracts.jobs import JobCancelled, JobFailed, JobPlanned
from aml.contracts.seals import GatePassed, GateRefused, JobSealed
from aml.contracts.shredding import EvidenceShredded
from aml.contracts.units import UnitParked
from aml.gateway.jobs.job_queries import ACTIVE
from aml.gateway.storage.database import Connection
from aml.gateway.storage.statements import LIVE, execute, given
from aml.gateway.storage.tables import board, job, job_progress, job_result, parked

from .fold import Fold, Kind, Milestone

MAX_TROUBLE_CHARS = 500

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


def count_facts(schema: str) -> bytes:
    return f"""
    WITH fresh AS (
        INSERT INTO {schema}.fact (job_id, kind, unit, retries)
        SELECT r->>0, (r->>1)::smallint, r->>2, (r->>3)::integer FROM json_array_elements(%s::json) AS r
        ON CONFLICT DO NOTHING RETURNING job_id, kind, retries
    )
    INSERT INTO {schema}.job_progress AS p (job_id, retries, first_add_at, moved_at, {", ".join(_COUNTERS)})
    SELECT job_id, sum(retries), CASE WHEN count(*) FILTER (WHERE kind = {Kind.CHUNK_ADDED:d}) > 0 THEN now() END,
           CASE WHEN count(*) FILTER (WHERE kind NOT IN ({Kind.REQUEUED:d}, {Kind.PARKED:d})) > 0 THEN now() END,
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
        moved_at = coalesce(excluded.moved_at, p.moved_at),
        last_at = now(),
        {", ".join(f"{name} = p.{name} + excluded.{name}" for name in _COUNTERS)}
""".encode()  # noqa: S608  built from the constants above


_UNIT_COLUMNS = {
    "dataset": "text", "sample": "text", "item": "integer", "category": "text", "outcome": "text", "score": "integer",
    "rule": "text", "evidence_recall": "integer", "stage": "text", "reason": "text", "detail": "text",
    "returned": "integer", "search_attempts": "integer", "search_micros": "bigint", "context_items": "integer",
    "prompt_tokens": "integer", "answer_micros": "bigint", "answer_calls": "integer", "judge_calls": "integer",
}  # fmt: skip


def merge_units(schema: str) -> bytes:
    return f"""
    INSERT INTO {schema}.unit AS u (job_id, unit, {", ".join(_UNIT_COLUMNS)})
    SELECT * FROM json_to_recordset(%s::json)
        AS r (job_id text, unit text, {", ".join(f"{name} {kind}" for name, kind in _UNIT_COLUMNS.items())})
    ORDER BY 1, 2
    ON CONFLICT (job_id, unit) DO UPDATE SET
        {", ".join(f"{name} = coalesce(excluded.{name}, u.{name})" for name in _UNIT_COLUMNS)}
""".encode()  # noqa: S608  built from the constants above


@cache
def upsert_plan() -> Insert:
    counts = {name: given(name) for name in ("samples", "chunks", "questions")}
    fresh = insert(job_progress).values(job_id=given("job_id"), planned_at=func.now(), moved_at=func.now(), **counts)
    return fresh.on_conflict_do_update(
        index_elements=[job_progress.c.job_id],
        set_={
            "planned_at": func.coalesce(job_progress.c.planned_at, func.now()),
            **{name: fresh.excluded[name] for name in counts},
            "moved_at": func.now(),
            "last_at": func.now(),
        },
    )


@cache
def update_trouble() -> Update:
    return (
        update(job_progress)
        .values(
            trouble_at=func.now(),
            trouble_stage=given("stage"),
            trouble_reason=given("reason"),
            trouble_detail=given("detail"),
        )
        .where(job_progress.c.job_id == given("job_id"))
    )


@cache
def update_running() -> Update:
    return update(job).values(state="running").where(job.c.job_id == given("job_id"), job.c.state == "queued")


@cache
def update_failed() -> Update:
    columns = ("failure_stage", "failure_reason", "failure_detail")
    return (
        update(job)
        .values({name: given(name) for name in columns})
        .values(state="failed", ended_at=func.coalesce(job.c.ended_at, func.now()))
        .where(job.c.job_id == given("job_id"), job.c.failure_reason.is_(None))
    )


@cache
def update_cancelled_by_fact() -> Update:
    return (
        update(job)
        .values(
            state="cancelled",
            ended_at=func.coalesce(job.c.ended_at, func.now()),
            cancelled_by=func.coalesce(job.c.cancelled_by, given("cancelled_by", Text())),
        )
        .where(job.c.job_id == given("job_id"), ~job.c.sealed, job.c.state.in_(ACTIVE))
    )


@cache
def update_sealed() -> Update:
    """The ledger's word is the last one, whatever was thought before."""
    return (
        update(job)
        .values(state=given("state"), sealed=True, ended_at=func.coalesce(job.c.ended_at, func.now()))
        .where(job.c.job_id == given("job_id"))
    )


@cache
def update_shredded() -> Update:
    return update(job).values(evidence_shredded=True).where(job.c.job_id == given("job_id"))


@cache
def insert_result() -> Insert:
    columns = ("job_id", "passed", "event")
    return insert(job_result).values({name: given(name) for name in columns}).on_conflict_do_nothing()


@cache
def update_gate() -> Update:
    return (
        update(job)
        .values(gate=given("gate"), seal=given("seal"))
        .where(job.c.job_id == given("job_id"), job.c.gate.is_(None))
    )


@cache
def insert_parked() -> Insert:
    columns = ("job_id", "unit", "stage", "trigger", "error")
    return insert(parked).values({name: given(name) for name in columns}).on_conflict_do_nothing()


@cache
def insert_board() -> Insert:
    columns = ("board_id", "version", "rows", "tree_size")
    return insert(board).values({name: given(name) for name in columns}).on_conflict_do_nothing()


async def apply_fold(connection: Connection, folded: Fold, schema: str = LIVE) -> None:
    """Idempotent: the same events again change nothing but `last_at`."""
    if folded.facts:
        await connection.execute(count_facts(schema), (_as_json(folded.facts),))
    if folded.units:
        await connection.execute(merge_units(schema), (_as_json(list(folded.units.values())),))
    for job_id, last in folded.troubles.items():
        detail = _without_nul(last.detail[:MAX_TROUBLE_CHARS])
        await execute(
            connection, update_trouble(), schema, job_id=job_id, stage=last.stage, reason=last.reason, detail=detail
        )
    for milestone in folded.milestones:
        await _apply(connection, milestone, schema)


async def _apply(connection: Connection, event: Milestone, schema: str) -> None:
    match event:
        case JobPlanned():
            await execute(
                connection,
                upsert_plan(),
                schema,
                job_id=event.job_id,
                samples=event.samples,
                chunks=event.chunks,
                questions=event.questions,
            )
            await execute(connection, update_running(), schema, job_id=event.job_id)
        case JobFailed():
            await execute(
                connection,
                update_failed(),
                schema,
                job_id=event.job_id,
                failure_stage=event.stage,
                failure_reason=event.reason,
                failure_detail=_without_nul(event.detail),
            )
        case JobCancelled():
            await execute(
                connection, update_cancelled_by_fact(), schema, job_id=event.job_id, cancelled_by=event.cancelled_by
            )
        case JobSealed():
            await execute(connection, update_sealed(), schema, job_id=event.job_id, state=event.state)
        case EvidenceShredded():
            await execute(connection, update_shredded(), schema, job_id=event.job_id)
        case GatePassed() | GateRefused():
            passed = isinstance(event, GatePassed)
            await execute(
                connection, insert_result(), schema, job_id=event.job_id, passed=passed, event=encode_event(event)
            )
            gate = "passed" if passed else "refused"
            await execute(connection, update_gate(), schema, job_id=event.job_id, gate=gate, seal=event.seal)
        case UnitParked():
            await execute(
                connection,
                insert_parked(),
                schema,
                job_id=event.job_id,
                unit=event.unit,
                stage=event.stage,
                trigger=event.trigger,
                error=_without_nul(event.error),
            )
        case BoardPublished():
            await execute(
                connection,
                insert_board(),
                schema,
                board_id=event.board_id,
                version=event.version,
                rows=event.rows,
                tree_size=event.tree_size,
            )
        case _:
            assert_never(event)


def _as_json(rows: object) -> str:
    """Postgres holds no NUL in text, so its escape is replaced; the stream and the ledger keep what was said."""
    return msgspec.json.encode(rows).decode().replace("\\u0000", "\\ufffd")


def _without_nul(text: str) -> str:
    return text.replace("\x00", "\ufffd")
