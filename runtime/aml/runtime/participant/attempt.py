"""One attempt of a call, as evidence of how often and when a participant was called."""

from msgspec import Struct

from aml.contracts.envelope import Count, Micros, Millis


class Attempt(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    number: Count
    """From 1."""
    started_ms: Millis
    latency_us: Micros
    """From the call's start (a pooled connection, or a new one) to the last byte read or the failure."""
    status: int | None
    bytes_read: Count
    layer: str | None
    """The layer that failed; None for a success."""
