"""The end of a job in the ledger: its seal, its aggregate and the gate's decision."""

from typing import Literal

from msgspec import Struct

from .envelope import Count, Digest, JobFact, Micros, Millionths, Token
from .vocabulary import Arm, Capability, Division, JobState, Mode, Track, UnscoredReason


class JobSealed(JobFact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="job_sealed.v1"):
    """Closes the job's chain: `entries` leaves, the last of which is `last_leaf`. Later facts do not change its result."""

    state: JobState
    entries: Count
    last_leaf: Digest


class Interval(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A two-sided 95 % interval."""

    low: Millionths
    high: Millionths


class Tally(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Denominators first. `planned = scored + unscored`, `scored = correct + incorrect + graded`."""

    planned: Count
    scored: Count
    correct: Count
    incorrect: Count
    graded: Count
    unscored: Count
    score: Millionths | None
    """Mean over the scored questions; None, never 0, when none was scored."""
    interval: Interval | None


class ReasonCount(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    reason: UnscoredReason
    questions: Count


class CategoryResult(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    category: str
    capability: Capability
    in_overall: bool
    tally: Tally


class Latencies(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Percentiles by nearest rank over the calls that were acknowledged; None when there were none."""

    calls: Count
    p50: Micros | None
    p95: Micros | None
    p99: Micros | None


class DatasetResult(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: Token
    sha256: Digest
    overall: Tally
    """Only the categories that count."""
    all_questions: Tally
    """Every planned question of the dataset, the ones reported apart included."""
    categories: tuple[CategoryResult, ...]
    unscored: tuple[ReasonCount, ...]
    evidence_recall: Millionths | None


class JobResult(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a job's sealed entries add up to. A pure function of them: `aml.rules.aggregate`."""

    overall: Millionths | None
    """Weighted mean of the datasets' scores with the release's weights; None unless every planned question was scored."""
    interval: Interval | None
    datasets: tuple[DatasetResult, ...]
    add: Latencies
    search: Latencies
    retries: Count
    context_tokens: Count
    """Sum of the answers' prompt tokens."""


class GateCheck(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: Token
    passed: bool
    code: Token
    """`ok`, or why not."""
    expected: str
    found: str
    entries: tuple[Count, ...]
    """Indices of the ledger entries that were looked at (at most the first 20)."""


class RowSubject(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whose result it is, as the board shows it."""

    key_id: Token
    version_id: Token
    system: str
    version: str
    track: Track
    division: Division
    arm: Arm
    mode: Mode
    run_label: str
    release_id: Token
    release_digest: Digest
    allow_private: bool


class OutcomeSketch(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a result's questions went, to be compared with another's and to tell nothing else; see `aml.rules.outcome_sketch`."""

    questions: Count
    """That were searched, answered and scored."""
    units: Digest
    """Over their names: sketches compare only where the questions are the same ones."""
    exact: Digest
    """Over how each of them went: equal for an exact duplicate."""
    marks: str
    """Base64: one byte a question, for a sample of them."""


class GatePassed(
    JobFact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="gate_passed.v1"
):
    subject: RowSubject
    seal: Digest
    """Leaf hash of the `JobSealed` entry that the gate looked at."""
    result: JobResult
    checks: tuple[GateCheck, ...]
    sketch: OutcomeSketch | None
    """None only where no question was scored."""


class GateRefused(
    JobFact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="gate_refused.v1"
):
    subject: RowSubject
    seal: Digest
    result: JobResult
    checks: tuple[GateCheck, ...]


Decision = Literal["approve", "decline", "ask_for_more", "withdraw", "disqualify"]
