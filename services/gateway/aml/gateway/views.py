"""What callers are answered. Times are UTC (RFC 3339); scores are in millionths, latencies in microseconds."""

from datetime import datetime
from typing import Literal

from msgspec import Struct

from aml.contracts.release import Release
from aml.contracts.seals import GateCheck, JobResult, RowSubject

from .bodies import AccessApplication

Role = Literal["participant", "reviewer", "operator"]
JobStateNow = Literal["queued", "running", "completed", "failed", "cancelled"]
StageName = Literal["queued", "ingest", "retrieval", "answer", "scoring", "aggregation", "ended"]


class AccessCreated(Struct, frozen=True, kw_only=True):
    access_id: str
    state: str
    claim_token: str
    """Shown once. It reads this request's state and, after approval, claims the key."""


class AccessState(Struct, frozen=True, kw_only=True):
    access_id: str
    state: Literal["submitted", "approved", "declined"]
    created_at: datetime
    decided_at: datetime | None
    reason: str | None
    version_id: str | None
    key_claimable: bool
    """True until the new key was claimed; a version bound to an existing key has none to claim."""


class AccessFile(Struct, frozen=True, kw_only=True):
    """What a reviewer reads. The memory system key is not in it."""

    access_id: str
    state: str
    created_at: datetime
    application: AccessApplication
    has_memory_system_key: bool
    for_key_id: str | None
    decided_by: str | None
    decided_at: datetime | None
    reason: str | None


class AccessFiles(Struct, frozen=True, kw_only=True):
    requests: tuple[AccessFile, ...]


class AccessDecided(Struct, frozen=True, kw_only=True):
    access_id: str
    state: str
    key_id: str | None = None
    version_id: str | None = None


class KeyShown(Struct, frozen=True, kw_only=True):
    key_id: str
    role: Role
    key: str
    """Shown this once; only its hash is kept."""
    version_id: str | None = None


class Me(Struct, frozen=True, kw_only=True):
    key_id: str
    role: Role
    label: str
    prefix: str
    created_at: datetime


class Version(Struct, frozen=True, kw_only=True):
    version_id: str
    system: str
    version: str
    track: str
    division: str
    max_add_concurrency: int
    max_search_concurrency: int
    created_at: datetime
    smoke_passed: bool


class Versions(Struct, frozen=True, kw_only=True):
    versions: tuple[Version, ...]


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


class Results(Struct, frozen=True, kw_only=True):
    job_id: str
    gate: Literal["passed", "refused"]
    subject: RowSubject
    seal: str
    result: JobResult
    checks: tuple[GateCheck, ...]


class QuestionRow(Struct, frozen=True, kw_only=True):
    unit: str
    dataset: str | None
    sample: str | None
    item: int | None
    category: str | None
    outcome: Literal["correct", "incorrect", "graded", "unscored"] | None
    """None while the question is open."""
    score: int | None
    rule: str | None
    evidence_recall: int | None
    stage: str | None
    reason: str | None
    detail: str | None
    returned: int | None
    search_attempts: int | None
    search_micros: int | None
    context_items: int | None
    prompt_tokens: int | None
    answer_micros: int | None
    answer_calls: int | None
    judge_calls: int | None


class Questions(Struct, frozen=True, kw_only=True):
    total: int
    questions: tuple[QuestionRow, ...]


class ReviewItem(Struct, frozen=True, kw_only=True):
    job_id: str
    system: str
    version: str
    division: str
    run_label: str
    requested_at: datetime
    decision: str | None
    results: Results


class Reviews(Struct, frozen=True, kw_only=True):
    reviews: tuple[ReviewItem, ...]


class Reviewed(Struct, frozen=True, kw_only=True):
    job_id: str
    number: int
    decision: str


class ParkedUnit(Struct, frozen=True, kw_only=True):
    job_id: str
    unit: str
    stage: str
    trigger: str
    error: str
    parked_at: datetime


class Parked(Struct, frozen=True, kw_only=True):
    parked: tuple[ParkedUnit, ...]


class Requeued(Struct, frozen=True, kw_only=True):
    job_id: str
    requeued: tuple[str, ...]


class ReleaseView(Struct, frozen=True, kw_only=True):
    release_id: str
    title: str
    digest: str
    comparable: bool
    track: str
    top_k: int
    default: bool
    contract: Release
    """The whole `release.toml`."""


class ReleaseList(Struct, frozen=True, kw_only=True):
    releases: tuple[ReleaseView, ...]
