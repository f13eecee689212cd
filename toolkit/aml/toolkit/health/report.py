"""What a health check says. Scores are 0 to 100, times are UTC, ages are seconds."""

from datetime import datetime
from typing import Any, Literal

import msgspec
from msgspec import Struct

HealthStatus = Literal["healthy", "degraded", "unhealthy", "unknown"]
"""unknown: nothing was measured, or too long ago, or the measuring itself failed. It says nothing against the agent."""


class CategoryHealth(Struct, frozen=True, kw_only=True):
    category: str
    score: float | None
    """None where nothing was scored."""
    scored: int
    planned: int


class HealthReport(Struct, frozen=True, kw_only=True):
    status: HealthStatus
    reasons: tuple[str, ...]
    """Why it is not healthy; empty where it is."""
    overall: float | None = None
    """Of the last measurement that gave a result; None before the first, and where that was incomplete."""
    grade: str | None = None
    categories: tuple[CategoryHealth, ...] = ()
    scored: int = 0
    planned: int = 0
    measured_at: datetime | None = None
    seconds: float | None = None
    """That the measurement took."""
    job_ids: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Of JSON's own types, for an HTTP answer."""
        made: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return made
