"""From a measurement to a status. Pure.

What the agent did not answer counts against the agent; what the platform or its judge could not score counts against nobody and
leaves the status unknown, for a wrong alarm is worse than a late one.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from msgspec import Struct, field

from aml.toolkit.results import SuiteResult

from .report import CategoryHealth, HealthReport, HealthStatus

_AGENTS_STAGES: Final = ("ingest", "retrieval")
"""The platform calls the agent in these two: to tell it a history, and to ask it."""


class Thresholds(Struct, frozen=True, kw_only=True):
    """Raises `ValueError` for thresholds that contradict each other."""

    healthy: float = 80.0
    """Overall from here on is healthy."""
    degraded: float = 60.0
    """Overall from here on is degraded, and below it unhealthy."""
    categories: Mapping[str, float] = field(default_factory=dict)
    """A category below its score makes the agent degraded at best."""
    silent_share: float = 0.5
    """Of the questions: from this share without an answer on the agent is unhealthy, with any it is degraded."""
    stale_after: timedelta = timedelta(hours=26)
    """A measurement older than this says nothing any more. A day and two hours, for one that is made daily."""

    def __post_init__(self) -> None:
        if not 0 <= self.degraded <= self.healthy <= 100:
            raise ValueError(f"0 <= degraded <= healthy <= 100 is wanted, not {self.degraded:g} and {self.healthy:g}")
        if not 0 < self.silent_share <= 1:
            raise ValueError(f"silent_share is {self.silent_share:g}; give a share above 0, up to 1")


class CheckFailed(Struct, frozen=True, kw_only=True):
    """The measuring itself came to nothing."""

    at: datetime
    problem: str


class Measured(Struct, frozen=True, kw_only=True):
    at: datetime
    """When it ended."""
    result: SuiteResult


def decide_health(
    last: Measured | None, failure: CheckFailed | None, thresholds: Thresholds, now: datetime
) -> HealthReport:
    """`failure` is what came after `last`, if anything did: a result stands until it is stale."""
    if last is None:
        said = "not measured yet" if failure is None else f"the check itself failed: {failure.problem}"
        return HealthReport(status="unknown", reasons=(said,))
    status, reasons = _judged(last.result, thresholds)
    if failure is not None:
        reasons.append(f"the check itself failed since: {failure.problem}")
    age = now - last.at
    if age > thresholds.stale_after:
        status, reasons = "unknown", [f"last measured {age.total_seconds() / 3600:.1f} h ago", *reasons]
    result = last.result
    return HealthReport(
        status=status,
        reasons=tuple(reasons),
        overall=result.overall if result.complete else None,
        grade=result.grade if result.complete else None,
        categories=tuple(
            CategoryHealth(category=each.category, score=each.score, scored=each.scored, planned=each.planned)
            for each in result.categories
        ),
        scored=result.planned - result.unscored,
        planned=result.planned,
        measured_at=last.at,
        seconds=result.seconds,
        job_ids=result.provenance.job_ids,
    )


def _judged(result: SuiteResult, thresholds: Thresholds) -> tuple[HealthStatus, list[str]]:
    silent = sum(each.unscored is not None and each.unscored.stage in _AGENTS_STAGES for each in result.questions)
    share = silent / result.planned if result.planned else 0.0
    if share >= thresholds.silent_share:
        return "unhealthy", [f"{silent} of {result.planned} questions got no answer"]
    if (not result.complete and silent < result.unscored) or not result.planned:
        return "unknown", [f"{result.unscored - silent} of {result.planned} answers could not be scored"]
    if silent:
        return "degraded", [f"{silent} of {result.planned} questions got no answer"]
    return _by_scores(result, thresholds)


def _by_scores(result: SuiteResult, thresholds: Thresholds) -> tuple[HealthStatus, list[str]]:
    if result.overall < thresholds.degraded:
        return "unhealthy", [f"Overall {result.overall:.1f} is below {thresholds.degraded:g}"]
    reasons = []
    if result.overall < thresholds.healthy:
        reasons.append(f"Overall {result.overall:.1f} is below {thresholds.healthy:g}")
    for name, wanted in thresholds.categories.items():
        found = result.category(name)
        if found is None or found.score is None:
            reasons.append(f"{name} is not measured by the suite {result.suite}")
        elif found.score < wanted:
            reasons.append(f"{name} {found.score:.1f} is below {wanted:g}")
    return ("degraded" if reasons else "healthy"), reasons
