"""A job from request to plan, and the two ways in which it can stop early."""

from typing import Annotated

from msgspec import Meta, Struct

from .envelope import MAX_INTEGER, Count, Digest, EvidenceRef, JobFact, Token
from .vocabulary import Arm, Division, Mode, Stage, Track, UnscoredReason

Seed = Annotated[int, Meta(ge=-MAX_INTEGER, le=MAX_INTEGER)]


class DatasetPin(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which bytes a job evaluates on. The bundle is looked up by its hash, never by a path."""

    name: Token
    adapter: Token
    """`practice`, `locomo`, `longmemeval`."""
    version: str
    sha256: Digest
    limit: Count | None = None
    """Evaluate only this many questions, drawn by `sample_seed`; None for all."""
    sample_seed: Seed = 0


class JobRequested(
    JobFact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="job_requested.v1"
):
    key_id: Token
    version_id: Token
    system: str
    version: str
    track: Track
    division: Division
    mode: Mode
    arm: Arm
    run_label: str
    release_id: Token
    release_digest: Digest
    pipeline_digest: Digest
    """The code that the release was locked with; the planner refuses a job of another pipeline."""
    datasets: tuple[DatasetPin, ...]
    target: EvidenceRef | None
    """A `ParticipantTarget`; None for the baseline arms, which call nobody."""
    add_concurrency: Count
    search_concurrency: Count
    top_k: Count
    allow_private: bool
    """Private and loopback addresses were allowed. Releases for a public board refuse such a run."""


class CategoryCount(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    category: str
    questions: Count


class DatasetPlan(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was found in a bundle and what of it is evaluated. `questions` are the planned ones, after any limit."""

    name: Token
    adapter: Token
    version: str
    sha256: Digest
    samples: Count
    sessions: Count
    turns: Count
    chunks: Count
    questions: Count
    categories: tuple[CategoryCount, ...]


class JobPlanned(
    JobFact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="job_planned.v1"
):
    release_digest: Digest
    pipeline_digest: Digest
    datasets: tuple[DatasetPlan, ...]
    samples: Count
    chunks: Count
    """0 for a baseline arm: nothing is written to anybody."""
    questions: Count
    add_concurrency: Count
    search_concurrency: Count


class JobFailed(JobFact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="job_failed.v1"):
    """The job stops at once. Its remaining questions are unscored for `reason`."""

    stage: Stage
    reason: UnscoredReason
    detail: str
    """One line for the participant: what was wrong, where, and what to do. Bounded and free of secrets."""
    attempt_log: EvidenceRef | None
    """An `AttemptLog` of the call that stopped the job; None where none did."""


class JobCancelled(
    JobFact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="job_cancelled.v1"
):
    cancelled_by: Token
    reason: str
