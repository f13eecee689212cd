"""What callers are answered. Times are UTC (RFC 3339); scores are in millionths, latencies in microseconds."""

from datetime import datetime

from msgspec import Struct

from aml.gateway.results.views import Results


class ReviewItem(Struct, frozen=True, kw_only=True):
    job_id: str
    system: str
    version: str
    division: str
    run_label: str
    requested_at: datetime
    decision: str | None
    results: Results


class Reviews(Struct, frozen=True, kw_only=True):
    reviews: tuple[ReviewItem, ...]


class Reviewed(Struct, frozen=True, kw_only=True):
    job_id: str
    number: int
    decision: str
