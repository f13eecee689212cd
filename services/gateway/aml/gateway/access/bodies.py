"""What callers may send. Shapes and bounds only; what a field means for another one is decided beside the use case."""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from aml.contracts.participant import AuthScheme
from aml.contracts.vocabulary import Track
from aml.gateway.edge.text_bounds import Concurrency, Name, Prose, Reason, Url

CallSeconds = Annotated[int, Meta(ge=1, le=1800)]
PerMinute = Annotated[int, Meta(ge=1, le=1_000_000)]
Moment = Annotated[datetime, Meta(tz=True)]


class Endpoints(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    add_url: Url
    search_url: Url
    health_url: Url | None = None
    add_status_url: Url | None = None
    """With `{task_id}`, where Add may answer 202 and is asked after there."""


class Capacity(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    max_add_concurrency: Concurrency = 4
    max_search_concurrency: Concurrency = 16


class Timeouts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The longest that one call may take; a release can allow less."""

    add_seconds: CallSeconds = 1800
    search_seconds: CallSeconds = 1800


class RateLimits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Calls a minute from which on the system answers 429. Shown to reviewers and operators."""

    add_per_minute: PerMinute | None = None
    search_per_minute: PerMinute | None = None


class Disclosure(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Open-source methods name repository and commit; commercial products their version and operations contact."""

    repository: Prose | None = None
    commit: Prose | None = None
    """A commit's hash: a branch or a tag can move."""
    original_works: Prose | None = None
    authors: Prose | None = None
    technical_report: Prose | None = None
    method_changes: Prose | None = None
    product_version: Prose | None = None
    operations_contact: Prose | None = None
    """For the platform's operators; never shown in public."""


class AccessApplication(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Send an existing participant key as `Authorization` to bind a further version to it."""

    contact: Name
    organisation: Name
    system: Name
    version: Name
    track: Track
    division: Literal["open_source", "commercial"]
    description: Prose = ""
    """What the method or product does."""
    run_instructions: Prose = ""
    """What a reviewer must know to run it: limits, warm-up, known faults."""
    endpoints: Endpoints
    auth: AuthScheme = "none"
    memory_system_key: str | None = None
    """Sealed at once and never shown again to anybody."""
    capacity: Capacity = field(default_factory=Capacity)
    timeouts: Timeouts = field(default_factory=Timeouts)
    rate_limits: RateLimits = field(default_factory=RateLimits)
    public_display_consent: bool
    disclosure: Disclosure = field(default_factory=Disclosure)


class EndpointRecheck(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    memory_system_key: str | None = None
    """From the applicant, in place of the one that was sent first. Without it Add and Search are asked without a key."""


class AccessApproval(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    reason: Prose = ""
    override_reason: Prose = ""
    """Required where the last check of the endpoints did not pass."""
    key_expires_at: Moment | None = None
    """Of a new key; None for one that lasts until it is revoked."""


class AccessDecision(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    reason: Prose = ""
    """Required for a decline; the applicant reads it."""


class VersionChange(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is left out stays as it is; an object that is given replaces the whole of the former one."""

    endpoints: Endpoints | None = None
    memory_system_key: str | None = None
    """Needed again where Add, Search or Add-status move to another host: a sealed key is never sent to a new place."""
    capacity: Capacity | None = None
    timeouts: Timeouts | None = None
    rate_limits: RateLimits | None = None
    description: Prose | None = None
    run_instructions: Prose | None = None
    disclosure: Disclosure | None = None


class MemoryKeyOrder(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    auth: AuthScheme
    memory_system_key: str | None = None
    """Absent for `none` alone."""


class Withdrawal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    reason: Reason
