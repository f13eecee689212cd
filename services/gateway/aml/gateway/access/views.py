"""What callers are answered. Times are UTC (RFC 3339); scores are in millionths, latencies in microseconds."""

from datetime import datetime
from typing import Literal

from msgspec import Struct

from .bodies import AccessApplication


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
