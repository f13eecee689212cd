"""What callers are answered. Times are UTC (RFC 3339)."""

from datetime import datetime
from typing import Literal

from msgspec import Struct

from aml.contracts.participant import AuthScheme

from .bodies import AccessApplication, Disclosure, Endpoints, RateLimits, Timeouts


class EndpointFinding(Struct, frozen=True, kw_only=True):
    name: str
    """`reach`, `health`, `right_key`, `add`, `search`; `turn` where the check had to wait and was not made."""
    passed: bool | None
    """None: not tried."""
    detail: str
    """What was found and what to do; bounded, printable, without any key."""


class EndpointCheck(Struct, frozen=True, kw_only=True):
    """One visit with a made-up record under a user of its own. It decides nothing: a reviewer does."""

    passed: bool
    checked_at: datetime
    findings: tuple[EndpointFinding, ...]


class AccessCreated(Struct, frozen=True, kw_only=True):
    access_id: str
    state: str
    claim_token: str
    """It reads this request's state, has the endpoints checked again and, after approval, claims the key. Keep it."""
    endpoint_check: EndpointCheck | None = None


class AccessState(Struct, frozen=True, kw_only=True):
    access_id: str
    state: Literal["submitted", "approved", "declined"]
    created_at: datetime
    decided_at: datetime | None
    reason: str | None
    version_id: str | None
    key_claimable: bool
    """True until the new key was claimed; a version bound to an existing key has none to claim."""
    endpoint_check: EndpointCheck | None = None


class AccessFile(Struct, frozen=True, kw_only=True):
    """What a reviewer reads. The memory system key is not in it."""

    access_id: str
    state: str
    created_at: datetime
    application: AccessApplication
    has_memory_system_key: bool
    endpoint_check: EndpointCheck | None
    for_key_id: str | None
    key_id: str | None
    version_id: str | None
    decided_by: str | None
    decided_at: datetime | None
    reason: str | None
    override_reason: str | None


class AccessFiles(Struct, frozen=True, kw_only=True):
    requests: tuple[AccessFile, ...]


class AccessDecided(Struct, frozen=True, kw_only=True):
    access_id: str
    state: str
    key_id: str | None = None
    version_id: str | None = None


class Version(Struct, frozen=True, kw_only=True):
    """One's own. The memory system key shows only as whether there is one."""

    version_id: str
    system: str
    version: str
    track: str
    division: str
    created_at: datetime
    endpoints: Endpoints
    auth: AuthScheme
    has_memory_system_key: bool
    max_add_concurrency: int
    max_search_concurrency: int
    timeouts: Timeouts
    rate_limits: RateLimits
    description: str
    run_instructions: str
    disclosure: Disclosure
    smoke_passed: bool
    """On the endpoints as they are now."""
    frozen: bool
    """Its full run was accepted: nothing but the memory system key can change any more."""
    frozen_by_job_id: str | None
    active_job_id: str | None
    withdrawn_at: datetime | None


class Versions(Struct, frozen=True, kw_only=True):
    versions: tuple[Version, ...]
