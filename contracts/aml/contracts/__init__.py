"""Shapes that cross a boundary. Structs only: no rule, no input or output, nothing but msgspec."""

from .envelope import EvidenceRef, Fact, JobFact, UnitFact
from .events import Event, JobEvent, UnitEvent, decode_event, encode_event

__all__ = [
    "Event",
    "EvidenceRef",
    "Fact",
    "JobEvent",
    "JobFact",
    "UnitEvent",
    "UnitFact",
    "decode_event",
    "encode_event",
]
