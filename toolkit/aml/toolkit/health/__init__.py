"""A live agent's memory as a health check: a small suite now and then, thresholds, and gauges."""

from .decision import CheckFailed, Thresholds, decide_health
from .gauges import HealthGauges
from .memory_health_check import MemoryHealthCheck
from .report import CategoryHealth, HealthReport, HealthStatus
from .schedule import Schedule

__all__ = [
    "CategoryHealth",
    "CheckFailed",
    "HealthGauges",
    "HealthReport",
    "HealthStatus",
    "MemoryHealthCheck",
    "Schedule",
    "Thresholds",
    "decide_health",
]
