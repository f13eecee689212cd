"""How a job stands, from its row. Pure, but for the stream at the end, which reads the row again and again."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import msgspec
from litestar import get
from litestar.params import FromPath
from litestar.response import ServerSentEvent, ServerSentEventMessage

from aml.gateway.edge.authorise import ANY_ROLE
from aml.gateway.edge.injected import GivenCaller, GivenParts
from aml.gateway.keys.keys import Caller
from aml.gateway.parts import Parts
from aml.gateway.storage.database import DATABASE_AWAY

from .job_access import visible_job
from .job_queries import JobRow
from .views import Counts, Failure, Job, StageName, StageProgress

STREAM_POLL_SECONDS = 0.5
KEEP_ALIVE_SECONDS = 15.0
RATE_DIGITS = 2

_LIVE = ("queued", "running")


def job_view(row: JobRow) -> Job:
    scored = (row.correct or 0) + (row.incorrect or 0) + (row.graded or 0)
    unscored = row.unscored or 0
    counts = Counts(
        planned=row.questions if row.planned_at else None,
        scored=scored,
        correct=row.correct or 0,
        incorrect=row.incorrect or 0,
        graded=row.graded or 0,
        unscored=unscored,
    )
    rate = _rate(row, scored + unscored)
    failed = row.failure_stage is not None and row.state == "failed"
    return Job(
        job_id=row.job_id,
        version_id=row.version_id,
        system=row.system,
        version=row.version,
        track=row.track,
        division=row.division,
        mode=row.mode,
        arm=row.arm,
        run_label=row.run_label,
        release_id=row.release_id,
        release_digest=row.release_digest,
        add_concurrency=row.add_concurrency,
        search_concurrency=row.search_concurrency,
        requested_at=row.requested_at,
        state=row.state,  # type: ignore[arg-type]  # the table's own check
        # What a killed projection held comes again only after the seal's own event.
        sealed=row.sealed and (row.state != "completed" or counts.planned == scored + unscored),
        ended_at=row.ended_at,
        stage=stage_of(row, scored + unscored),
        stages=stages_of(row, scored + unscored),
        counts=counts,
        rate_per_second=rate,
        eta_seconds=_eta(row, counts, rate),
        heartbeat_age_seconds=None if row.last_at is None else max(0.0, (row.now - row.last_at).total_seconds()),
        retries=row.retries or 0,
        requeued=row.requeued or 0,
        parked=row.parked or 0,
        failure=Failure(stage=row.failure_stage or "", reason=row.failure_reason or "", detail=row.failure_detail or "")
        if failed
        else None,
        gate=row.gate,  # type: ignore[arg-type]  # the table's own check
        decision=row.decision,
    )


def stage_of(row: JobRow, ended: int) -> StageName:
    """The first stage that has work left. Stages overlap: the first samples are scored while the last are written."""
    if row.gate is not None or row.state == "cancelled":
        return "ended"
    if row.state not in _LIVE:
        return "aggregation"
    if row.planned_at is None:
        return "queued"
    questions = row.questions or 0
    if (row.chunks_added or 0) < (row.chunks or 0):
        return "ingest"
    if ended >= questions:
        return "aggregation"
    if (row.searched or 0) + (row.unscored or 0) < questions:
        return "retrieval"
    return "answer" if (row.answered or 0) + (row.unscored or 0) < questions else "scoring"


def stages_of(row: JobRow, ended: int) -> tuple[StageProgress, ...]:
    planned = row.planned_at is not None
    questions = row.questions if planned else None
    return (
        StageProgress(stage="ingest", done=row.chunks_added or 0, total=row.chunks if planned else None),
        StageProgress(stage="retrieval", done=row.searched or 0, total=questions),
        StageProgress(stage="answer", done=row.answered or 0, total=questions),
        StageProgress(stage="scoring", done=ended, total=questions),
    )


def _rate(row: JobRow, ended: int) -> float | None:
    if row.planned_at is None or ended == 0:
        return None
    seconds = ((row.ended_at or row.now) - row.planned_at).total_seconds()
    return round(ended / seconds, RATE_DIGITS) if seconds > 0 else None


def _eta(row: JobRow, counts: Counts, rate: float | None) -> float | None:
    if not rate or counts.planned is None or row.state not in _LIVE:
        return None
    return round(max(0, counts.planned - counts.scored - counts.unscored) / rate, 1)


@get("/jobs/{job_id:str}/events", summary="Progress as server-sent events", guards=[ANY_ROLE])
async def stream_progress(parts: GivenParts, caller: GivenCaller, job_id: FromPath[str]) -> ServerSentEvent:
    await visible_job(parts.database, caller, job_id)  # the refusal, if any, comes before the stream's headers
    return ServerSentEvent(_snapshots(parts, caller, job_id))


async def _snapshots(parts: Parts, caller: Caller, job_id: str) -> AsyncIterator[Any]:
    """A snapshot a change, a comment every 15 s, and the end when the job has its gate decision or the server stops."""
    last, number, quiet = b"", 0, 0.0
    while not parts.stopping.is_set():
        try:
            job = job_view(await visible_job(parts.database, caller, job_id))
        except DATABASE_AWAY:
            return  # the client connects again
        now = msgspec.json.encode(
            msgspec.structs.replace(job, heartbeat_age_seconds=None, rate_per_second=None, eta_seconds=None)
        )
        if now != last:
            last, quiet, number = now, 0.0, number + 1
            yield ServerSentEventMessage(data=msgspec.json.encode(job).decode(), event="progress", id=number)
        if job.stage == "ended":
            return
        if quiet >= KEEP_ALIVE_SECONDS:
            quiet = 0.0
            yield ServerSentEventMessage(comment="keep-alive")
        quiet += STREAM_POLL_SECONDS
        await _pause(parts.stopping)


async def _pause(stopping: asyncio.Event) -> None:
    try:
        await asyncio.wait_for(stopping.wait(), STREAM_POLL_SECONDS)
    except TimeoutError:
        return
