"""What callers may send. Shapes and bounds only; what a field means for another one is decided beside the use case."""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from aml.contracts.envelope import MAX_INTEGER, Digest, Token
from aml.contracts.jobs import Seed
from aml.contracts.participant import AuthScheme
from aml.contracts.seals import Decision
from aml.contracts.vocabulary import Arm, Track

_NO_CONTROL = r"[^\x00-\x1f\x7f\u202a-\u202e\u2066-\u2069]"
_NO_CONTROL_BUT_LINES = r"[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
_END = r"(?![\s\S])"  # `\Z` for Python and for the readers of the OpenAPI document alike

# Control characters are refused where they enter: Postgres cannot hold NUL, and a line break in a name forges log lines.
Name = Annotated[str, Meta(min_length=1, max_length=120, pattern=rf"^(?=[\s\S]*\S){_NO_CONTROL}+{_END}")]
"""One line with something visible in it; no bidirectional overrides, which make a name read as another."""
Prose = Annotated[str, Meta(max_length=4000, pattern=rf"^{_NO_CONTROL_BUT_LINES}*{_END}")]
Reason = Annotated[str, Meta(min_length=1, max_length=4000, pattern=rf"^(?=[\s\S]*\S){_NO_CONTROL_BUT_LINES}+{_END}")]
Url = Annotated[str, Meta(min_length=1, max_length=2000)]
Concurrency = Annotated[int, Meta(ge=1, le=1024)]


class Endpoints(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    add_url: Url
    search_url: Url
    health_url: Url | None = None
    add_status_url: Url | None = None
    """With `{task_id}`, where Add may answer 202 and is asked after there."""


class Capacity(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    max_add_concurrency: Concurrency = 4
    max_search_concurrency: Concurrency = 16


class Disclosure(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Open-source methods name repository and commit; commercial products their version and operations contact."""

    repository: Prose | None = None
    commit: Prose | None = None
    original_works: Prose | None = None
    authors: Prose | None = None
    technical_report: Prose | None = None
    method_changes: Prose | None = None
    product_version: Prose | None = None
    operations_contact: Prose | None = None


class AccessApplication(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Send an existing participant key as `Authorization` to bind a further version to it."""

    contact: Name
    organisation: Name
    system: Name
    version: Name
    track: Track
    division: Literal["open_source", "commercial"]
    endpoints: Endpoints
    auth: AuthScheme = "none"
    memory_system_key: str | None = None
    """Sealed at once and never shown again to anybody."""
    capacity: Capacity = field(default_factory=Capacity)
    public_display_consent: bool
    disclosure: Disclosure = field(default_factory=Disclosure)


class AccessDecision(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    reason: Prose = ""
    """Required for a decline; the applicant reads it."""


class Checklist(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every item must be true before a full run."""

    smoke_passed: bool = False
    contract_followed: bool = False
    run_instructions_complete: bool = False
    originality_disclosed: bool = False
    no_integrity_violations: bool = False


class JobOrder(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    version_id: Token
    mode: Literal["smoke", "full"]
    run_label: Name
    add_concurrency: Concurrency | None = None
    """None for the version's declared capacity."""
    search_concurrency: Concurrency | None = None
    checklist: Checklist | None = None
    release_id: Token | None = None


class RunDataset(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: Token
    adapter: Token
    version: Name
    sha256: Digest
    limit: Annotated[int, Meta(ge=1, le=MAX_INTEGER)] | None = None
    sample_seed: Seed = 0


class RunOrder(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An operator's own run. `full` is for the baseline arms, on the release's own datasets."""

    system: Name
    version: Name = "1"
    arm: Arm = "participant"
    mode: Literal["run", "full"] = "run"
    track: Track = "textual"
    endpoints: Endpoints | None = None
    auth: AuthScheme = "none"
    memory_system_key: str | None = None
    datasets: tuple[RunDataset, ...] = ()
    release_id: Token | None = None
    run_label: Name
    add_concurrency: Concurrency = 4
    search_concurrency: Concurrency = 16
    allow_private: bool = False


class Cancellation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    reason: Prose = "cancelled by its owner"


class ReviewOrder(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    decision: Decision
    reason: Reason


class KeyOrder(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    role: Literal["reviewer", "operator"]
    label: Name = "unnamed"
