"""What callers are answered. Times are UTC (RFC 3339); scores are in millionths, latencies in microseconds."""

from datetime import datetime

from msgspec import Struct

from aml.contracts.release import Quotas


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


class ReviewerLinked(Struct, frozen=True, kw_only=True):
    key_id: str
    organisation: str | None
    participant_key_id: str | None


class OpenJob(Struct, frozen=True, kw_only=True):
    job_id: str
    key_id: str
    organisation: str
    system: str
    version: str
    track: str
    mode: str
    arm: str
    release_id: str
    state: str
    requested_at: datetime
    questions: int | None
    ended: int | None
    """Questions with an outcome; None before the job's first event."""
    parked: int | None
    last_at: datetime | None


class Lane(Struct, frozen=True, kw_only=True):
    """A consumer of the stream, as the broker tells of it."""

    name: str
    waiting: int
    """Messages that nobody was given yet."""
    in_work: int
    """Given and not acknowledged."""
    given_again: int
    slots: int | None


class StateCount(Struct, frozen=True, kw_only=True):
    state: str
    count: int


class KeyCount(Struct, frozen=True, kw_only=True):
    role: str
    active: int
    unclaimed: int
    revoked: int


class ReleaseQuotas(Struct, frozen=True, kw_only=True):
    release_id: str
    track: str
    default: bool
    quotas: Quotas


class Overview(Struct, frozen=True, kw_only=True):
    """As this gateway sees it at the moment of the answer."""

    problems: dict[str, str]
    """What is not in order, by check: `database`, `bus`, `evidence`, `outbox`, `projection`. Empty: all is."""
    jobs: tuple[StateCount, ...]
    open_jobs: tuple[OpenJob, ...]
    """Oldest first, at most 200: the queue, and what runs."""
    lanes: tuple[Lane, ...] | None
    """None while the broker cannot be asked."""
    parked: int
    """Units that no stage could handle and nobody drove again; `/operator/parked` lists them."""
    outbox_waiting: int
    projection_waiting: int | None
    """Events of the stream that the read model does not hold yet; None while the broker cannot be asked."""
    keys: tuple[KeyCount, ...]
    open_access_requests: int
    open_reviews: int
    open_proposals: int
    overdue_attestations: int
    quotas: tuple[ReleaseQuotas, ...]
