"""What callers are answered. Times are UTC (RFC 3339); scores are in millionths, latencies in microseconds."""

from datetime import datetime

from msgspec import Struct


class ParkedUnit(Struct, frozen=True, kw_only=True):
    job_id: str
    unit: str
    stage: str
    trigger: str
    error: str
    parked_at: datetime


class Parked(Struct, frozen=True, kw_only=True):
    parked: tuple[ParkedUnit, ...]


class Requeued(Struct, frozen=True, kw_only=True):
    job_id: str
    requeued: tuple[str, ...]
