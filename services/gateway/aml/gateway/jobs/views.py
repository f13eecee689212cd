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


class ErrorSummary(Struct, frozen=True, kw_only=True):
    """Questions that ended without an outcome, by where and why."""

    stage: str
    reason: str
    questions: int
    example: str
    """What one of them says."""


StallReason = Literal[
    "parked",
    "participant",
    "platform",
    "not_started",
    "not_handed_on",
    "reading_behind",
    "reading_stopped",
    "broker_away",
    "database_away",
    "not_sealed",
    "silent",
]


class Stall(Struct, frozen=True, kw_only=True):
    """The job does not come on."""

    since_seconds: float
    stage: StageName
    """What waits."""
    reason: StallReason
    why: str


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
    """`cancelled` is an order until the job is sealed: one that had ended before it came is `completed` after all."""
    sealed: bool
    """The ledger has closed the job: its state and counts are final."""
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
    queue_place: int | None = None
    """From 1, among all jobs that wait for their start; None for a job that has started."""
    errors: tuple[ErrorSummary, ...] = ()
    """The most frequent first, at most 20."""
    stalled: Stall | None = None
    resumes: str | None = None
    """The job that this one takes up again."""


class JobList(Struct, frozen=True, kw_only=True):
    jobs: tuple[Job, ...]


class Resumed(Struct, frozen=True, kw_only=True):
    """`how` says which of the two: a job that ended is ordered anew, a job that runs goes on with its parked units."""

    how: Literal["new_job", "driven_again"]
    job: Job
    driven_again: tuple[str, ...] = ()
    """Names of the parked units that are tried again."""


QuotaReason = Literal["hour_used", "interval", "all_used", "job_active"]


class Quota(Struct, frozen=True, kw_only=True):
    mode: Literal["smoke", "full"]
    used: int
    limit: int
    """Under this release, whatever the time."""
    used_in_hour: int | None
    limit_in_hour: int | None
    """None for a mode that is not counted by the hour."""
    possible_now: bool
    available_at: datetime | None
    """When the next is possible, by the database's clock; None where that is now, after the active job, or never."""
    reason: QuotaReason | None
    """Why not now."""
    active_job_id: str | None


class QuotaList(Struct, frozen=True, kw_only=True):
    track: str
    release_id: str
    now: datetime
    """The database's clock."""
    quotas: tuple[Quota, ...]
