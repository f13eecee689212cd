"""What a call that succeeded brought back."""

from msgspec import Struct

from aml.contracts.participant import Memory

from .attempt import Attempt


class AddOutcome(Struct, frozen=True, kw_only=True):
    attempts: tuple[Attempt, ...]
    latency_us: int
    """Of the last attempt, the one that counts."""
    status: int


class SearchOutcome(Struct, frozen=True, kw_only=True):
    memories: tuple[Memory, ...]
    """In the participant's order."""
    attempts: tuple[Attempt, ...]
    latency_us: int


class HealthOutcome(Struct, frozen=True, kw_only=True):
    status: int
    latency_us: int
