"""What callers are answered. Times are UTC (RFC 3339)."""

from datetime import datetime
from typing import Literal

from msgspec import Struct

Role = Literal["participant", "reviewer", "operator"]


class KeyShown(Struct, frozen=True, kw_only=True):
    key_id: str
    role: Role
    key: str
    """Shown this once; only its hash is kept."""
    version_id: str | None = None


class Me(Struct, frozen=True, kw_only=True):
    key_id: str
    role: Role
    label: str
    prefix: str
    """The key's visible beginning."""
    created_at: datetime
    expires_at: datetime | None = None
    rotations: int = 0


class KeyFile(Struct, frozen=True, kw_only=True):
    """A key as operators see it: everything but the key."""

    key_id: str
    role: Role
    label: str
    prefix: str | None
    """None until its applicant claimed it."""
    created_at: datetime
    first_used_at: datetime | None
    expires_at: datetime | None
    rotations: int
    revoked_at: datetime | None
    revoked_by: str | None
    revoked_reason: str | None


class KeyFiles(Struct, frozen=True, kw_only=True):
    keys: tuple[KeyFile, ...]


class KeyEnded(Struct, frozen=True, kw_only=True):
    key_id: str
    cancelled_jobs: tuple[str, ...]
