"""What a call that succeeded brought back."""

from msgspec import Struct

from aml.contracts.participant import Attempt, Memory

from .errors import calls_in


class AddOutcome(Struct, frozen=True, kw_only=True):
    attempts: tuple[Attempt, ...]
    """In the order of their start; questions after a 202 among them."""
    latency_us: int
    """Of the last Add, the one that counts; up to the answer that its task is done where it answered 202."""
    status: int
    """Of the last Add: 200, or 202."""
    received: int
    """Bytes of the last response's body."""

    @property
    def calls(self) -> int:
        return calls_in(self.attempts)


class SearchOutcome(Struct, frozen=True, kw_only=True):
    memories: tuple[Memory, ...]
    """In the participant's order."""
    encoded: bytes
    """`memories` as JSON, as evidence keeps them."""
    attempts: tuple[Attempt, ...]
    latency_us: int
    """Of the last attempt, the one that counts."""
    received: int

    @property
    def calls(self) -> int:
        return len(self.attempts)


class HealthOutcome(Struct, frozen=True, kw_only=True):
    status: int
    latency_us: int
