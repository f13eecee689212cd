"""What callers are answered. Times are UTC (RFC 3339); scores are in millionths, latencies in microseconds."""

from datetime import datetime
from typing import Literal

from msgspec import Struct

JobStateNow = Literal["queued", "running", "completed", "failed", "cancelled"]


StageName = Literal["queued", "ingest", "retrieval", "answer", "scoring", "aggregation", "ended"]


class StageProgress(Struct, frozen=True, kw_only=True):
    stage: StageName
    done: int
    total: int | None
    """None until the job is planned."""


class Counts(Struct, frozen=True, kw_only=True):
    """`planned = scored + unscored + what is still open`; `scored = correct + incorrect + graded`."""

    planned: int | None
    scored: int
    correct: int
    incorrect: int
    graded: int
    unscored: int


class Failure(Struct, frozen=True, kw_only=True):
    stage: str
    reason: str
    detail: str


class Job(Struct, frozen=True, kw_only=True):
    job_id: str
    version_id: str
    system: str
    version: str
    track: str
    division: str
    mode: str
    arm: str
    run_label: str
    release_id: str
    release_digest: str
    add_concurrency: int
    search_concurrency: int
    requested_at: datetime
    state: JobStateNow
    sealed: bool
    """The ledger has closed the job: its counts are final."""
    ended_at: datetime | None
    stage: StageName
    stages: tuple[StageProgress, ...]
    counts: Counts
    rate_per_second: float | None
    """Questions that ended, over the time since the plan."""
    eta_seconds: float | None
    heartbeat_age_seconds: float | None
    """Since the job's last event."""
    retries: int
    requeued: int
    parked: int
    failure: Failure | None
    gate: Literal["passed", "refused"] | None
    decision: str | None


class JobList(Struct, frozen=True, kw_only=True):
    jobs: tuple[Job, ...]
