"""What callers may send. Shapes and bounds only; what a field means for another one is decided beside the use case."""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct

from aml.gateway.edge.text_bounds import Name, Reason


class KeyOrder(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    role: Literal["reviewer", "operator"]
    label: Name = "unnamed"
    expires_at: Annotated[datetime, Meta(tz=True)] | None = None
    """None for a key that lasts until it is revoked."""


class KeyRevocation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    reason: Reason
