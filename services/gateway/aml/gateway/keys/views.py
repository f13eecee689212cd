"""What callers are answered. Times are UTC (RFC 3339); scores are in millionths, latencies in microseconds."""

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
    created_at: datetime
