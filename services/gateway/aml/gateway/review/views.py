"""What callers are answered. Times are UTC (RFC 3339); scores are in millionths, latencies in microseconds."""

from datetime import datetime
from typing import Literal

from msgspec import Struct

from aml.contracts.fair_play import FlagCount, FlagKind
from aml.contracts.seals import Decision
from aml.gateway.access.bodies import AccessApplication
from aml.gateway.results.views import Results

from .duplicates import First, Match

EvidenceState = Literal["shown", "destroyed", "unavailable", "none"]
"""`destroyed`: by the 30-day rule. `none`: the fact holds none."""


class ReviewItem(Struct, frozen=True, kw_only=True):
    job_id: str
    key_id: str
    version_id: str
    system: str
    version: str
    track: str
    division: str
    arm: str
    mode: str
    run_label: str
    requested_at: datetime
    origin: Literal["participants", "organiser"]
    decision: str | None
    results: Results


class Reviews(Struct, frozen=True, kw_only=True):
    reviews: tuple[ReviewItem, ...]


class Reviewed(Struct, frozen=True, kw_only=True):
    job_id: str
    number: int
    decision: str


class DecisionRow(Struct, frozen=True, kw_only=True):
    number: int
    decision: str
    reason: str
    reviewer: str
    decided_at: datetime


class Decisions(Struct, frozen=True, kw_only=True):
    decisions: tuple[DecisionRow, ...]
    """In their order; the last one stands."""


class NoteRow(Struct, frozen=True, kw_only=True):
    number: int
    author: str
    text: str
    written_at: datetime


class FlaggedMemory(Struct, frozen=True, kw_only=True):
    position: int
    kinds: tuple[FlagKind, ...]
    id: str
    text: str
    """As the participant sent it, cut after 4,000 characters; untrusted."""


class FlaggedQuestion(Struct, frozen=True, kw_only=True):
    unit: str
    dataset: str
    sample: str
    item: int
    returned: int
    flags: tuple[FlagCount, ...]
    evidence: EvidenceState
    memories: tuple[FlaggedMemory, ...]


class IsolationProbe(Struct, frozen=True, kw_only=True):
    unit: str
    sample: str
    outcome: Literal["kept", "leaked", "unanswered"]
    returned: int
    evidence: EvidenceState
    memories: tuple[FlaggedMemory, ...]


class FairPlayEvidence(Struct, frozen=True, kw_only=True):
    """None of it changes a score. What each kind means: `aml.rules.fair_play`."""

    total: int
    """Questions with something flagged."""
    questions: tuple[FlaggedQuestion, ...]
    probes: tuple[IsolationProbe, ...]


class DisclosureTime(Struct, frozen=True, kw_only=True):
    disclosed_at: datetime | None
    """When the application was stored, by the database's clock."""
    log_index: int | None
    """Where the log holds it; None while the ledger has not said."""
    changes: int
    """Changes of the version since then."""


class DuplicateOf(Struct, frozen=True, kw_only=True):
    """Another version with the same code or place."""

    matches: tuple[Match, ...]
    """`commit` and `repository` of the code; `endpoint`, `host` or the resolved `address` of Add and Search."""
    version_id: str
    key_id: str
    same_key: bool
    system: str
    version: str
    organisation: str | None
    theirs: DisclosureTime
    first: First


class SimilarResult(Struct, frozen=True, kw_only=True):
    """Another result under the same release whose questions went alike, by its outcome sketch."""

    job_id: str
    likeness: int
    """Millionths of the sampled questions that went exactly alike."""
    exact: bool
    duplicate: bool
    """At or above the release's `fair_play.duplicate_likeness`."""
    version_id: str
    key_id: str
    same_key: bool
    system: str
    version: str
    overall: int | None
    requested_at: datetime
    theirs: DisclosureTime | None
    first: First


class ReviewFile(Struct, frozen=True, kw_only=True):
    """Everything beside each other that a decision needs. The memory system key is not in it."""

    item: ReviewItem
    """With the results and every check of the gate."""
    possible: tuple[Decision, ...]
    """What can be decided now."""
    own_system: bool
    """The caller may read, and may not decide."""
    application: AccessApplication | None
    """None for the organiser's own runs."""
    access_id: str | None
    mine: DisclosureTime
    fair_play: FairPlayEvidence | None
    """The first questions of `/reviews/{job_id}/fair-play`; None while the broker cannot be asked."""
    duplicates: tuple[DuplicateOf, ...]
    similar: tuple[SimilarResult, ...]
    """The most alike first."""
    notes: tuple[NoteRow, ...]
    decisions: tuple[DecisionRow, ...]


class Attestation(Struct, frozen=True, kw_only=True):
    job_id: str
    key_id: str
    organisation: str
    system: str
    version: str
    run_label: str
    ended_at: datetime
    due_at: datetime
    state: Literal["open", "overdue", "attested"]
    attested_at: datetime | None
    late: bool
    """Attested after `due_at`."""
    statement: str | None


class Attestations(Struct, frozen=True, kw_only=True):
    attestations: tuple[Attestation, ...]
