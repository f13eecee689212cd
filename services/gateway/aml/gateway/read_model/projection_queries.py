"""A fold is written to the read model: its facts and units in bulk, troubles and milestones one by one. Never commits."""

from functools import cache
from typing import assert_never

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

from .fold import Fold, Milestone
from .unit_fact_queries import count_facts, merge_units

MAX_TROUBLE_CHARS = 500


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
    await count_facts(connection, folded.facts, schema)
    await merge_units(connection, folded.units.values(), schema)
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


def _without_nul(text: str) -> str:
    return text.replace("\x00", "\ufffd")
