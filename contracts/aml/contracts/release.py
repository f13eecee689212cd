"""A release: the evaluation contract that a result is comparable under. A folder of plain files, hashed as a whole."""

from typing import Literal

from msgspec import Struct, field

from .envelope import Count, Digest, Fact, Millionths, Token
from .participant import CallLimits, StatusPolling
from .vocabulary import Track


class PinnedDataset(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: str
    adapter: str
    version: str
    sha256: str
    samples: int
    questions: int
    weight: int = 1
    """Weight of the dataset's score in Overall."""


class ScoringRule(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How one question type is answered and scored. `*_prompt` are file names in the release's `prompts/`."""

    rule: Literal["rule_judge", "llm_judge", "locomo_f1", "choice", "facts", "ordering", "rubric"]
    answer_prompt: str | None = None
    judge_prompt: str | None = None
    decompose: Literal["all_must_hold", "majority"] | None = None
    """`llm_judge` only: the judge is asked about each line of the question's rubric by itself, and these verdicts decide."""


class ModelSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    kind: Literal["extractive", "openai", "agent", "rules"]
    """`agent`: the system under test answers itself, and what its Search returns is the answer."""
    model: str | None = None
    temperature: float = 0.0
    seed: int | None = None
    max_tokens: int = 256
    attempts: int = 4
    """Calls for one reply: one and its retries."""
    readings: int = 3
    """Replies of a judge that are read for a verdict before the question is left unscored."""
    timeout_seconds: float = 120.0
    concurrency: int = 32


class RetryPolicy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Bounded retries of one call (full jitter), then bounded requeues of its unit."""

    attempts: int = 6
    base_seconds: float = 0.5
    cap_seconds: float = 30.0
    requeues: int = 3
    requeue_seconds: tuple[float, ...] = (5.0, 15.0, 30.0)


class Chunking(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    max_messages: int = 20
    max_words: int = 2000
    word_counter: Literal["unicode-words-1"] = "unicode-words-1"


class Quotas(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    smoke_per_hour: int = 1
    smoke_per_cycle: int = 30
    full_per_cycle: int = 2
    full_interval_days: int = 30


class FairPlay(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """From where on something is shown to the reviewer. None of it changes a score; see `aml.rules.fair_play`."""

    shingle_words: int = 2
    min_overlap: Millionths = 100_000
    """An item of whose word shingles a smaller share was written to this user counts as foreign."""
    min_words: int = 6
    """Shorter items are not judged by their words."""
    oversized_percent: int = 200
    """An item longer than this much of all that was written counts as oversized (characters)."""
    duplicate_likeness: Millionths = 980_000
    """Two results with at least this share of questions that went exactly alike count as one result twice."""
    canaries: int = 3
    """Isolation probes in a full run."""


class Calibration(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a judge must show before a full run under it may be published: agreement with a person on a labelled set."""

    answers: Token
    """The name of the calibration set."""
    sha256: Digest
    """Of the set's file, as a dataset's bundle is pinned."""
    threshold: Millionths
    """The least agreement with the labels."""
    minimum: Count = 60
    """The least number of labelled answers of question types that the release scores."""


class Release(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`release.toml`. Nothing in code decides a score silently: what can change one stands here."""

    release_id: str
    title: str
    comparable: bool
    """False: results may not be compared with anybody's published ones, and the board says so."""
    track: Track
    top_k: int
    answer: ModelSettings
    judge: ModelSettings
    scoring: dict[str, ScoringRule]
    """Question type to rule. A type that is not here is an error, not a default."""
    datasets: tuple[PinnedDataset, ...]
    smoke_datasets: tuple[PinnedDataset, ...]
    context_tokens: int = 117_760
    tokenizer: str = "cl100k_base"
    chunking: Chunking = field(default_factory=Chunking)
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    limits: CallLimits = field(default_factory=CallLimits)
    status_polling: StatusPolling = field(default_factory=StatusPolling)
    quotas: Quotas = field(default_factory=Quotas)
    fair_play: FairPlay = field(default_factory=FairPlay)
    calibration: Calibration | None = None
    """None: the judge need not show anything, and the gate says so."""
    max_add_concurrency: int = 64
    max_search_concurrency: int = 256
    show_gold: bool = False
    """Whether a participant may read the right answers beside their own."""
    allow_private: bool = False
    allowed_schemes: tuple[str, ...] = ("https",)
    allowed_ports: tuple[int, ...] = (80, 443, 8443)
    """Ports that a participant's URLs may name; empty for any. A platform that dials any port of any host is a port scanner
    for whoever can apply. Does not bind where private addresses are allowed and used: local servers take what is free."""


class ReleaseLocked(
    Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="release_locked.v1"
):
    """From here on a job under this release must match these digests."""

    release_id: Token
    release_digest: Digest
    """Over every file of the release's folder."""
    pipeline_digest: Digest
    """Over the installed source files of contracts, rules, runtime and services."""
    questions: Count
