"""How a job stands, from its row. Pure."""

import msgspec

from .job_queries import JobRow
from .stall import Pulse, stall_of
from .views import Counts, ErrorSummary, Failure, Job, StageName, StageProgress

RATE_DIGITS = 2

CALM = Pulse()

_LIVE = ("queued", "running")


def job_view(row: JobRow, pulse: Pulse = CALM) -> Job:
    """`pulse` matters for a job that `seems_stalled`."""
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
    stage = stage_of(row, scored + unscored)
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
        stage=stage,
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
        queue_place=row.queue_place,
        errors=tuple(msgspec.convert(row.errors or (), tuple[ErrorSummary, ...])),
        stalled=stall_of(row, stage, pulse),
        resumes=row.resumes,
    )


def stage_of(row: JobRow, ended: int) -> StageName:
    """The first stage that has work left. Stages overlap: the first samples are scored while the last are written."""
    if row.gate is not None or (row.state == "cancelled" and row.sealed):
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
