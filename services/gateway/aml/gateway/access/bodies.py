"""What callers may send. Shapes and bounds only; what a field means for another one is decided beside the use case."""

from typing import Literal

from msgspec import Struct, field

from aml.contracts.participant import AuthScheme
from aml.contracts.vocabulary import Track
from aml.gateway.edge.text_bounds import Concurrency, Name, Prose, Url


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
