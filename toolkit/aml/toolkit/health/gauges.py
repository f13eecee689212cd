"""A health report as Prometheus gauges. Labels are statuses and categories: never questions, never users."""

from typing import get_args

from prometheus_client import CollectorRegistry, Counter, Gauge

from .report import HealthReport, HealthStatus


class HealthGauges:
    """`agent` tells several checks of one registry apart."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._status = Gauge(
            "aml_memory_health_status", "1 for the status that holds.", ["agent", "status"], registry=registry
        )
        self._overall = Gauge(
            "aml_memory_health_overall", "Overall of the last check, 0 to 100.", ["agent"], registry=registry
        )
        self._category = Gauge(
            "aml_memory_health_category_score", "0 to 100.", ["agent", "category"], registry=registry
        )
        self._unscored = Gauge(
            "aml_memory_health_unscored", "Questions of the last check without a score.", ["agent"], registry=registry
        )
        self._measured = Gauge(
            "aml_memory_health_measured_timestamp_seconds", "When the last check ended.", ["agent"], registry=registry
        )
        self._took = Gauge("aml_memory_health_check_seconds", "That the last check took.", ["agent"], registry=registry)
        self._checks = Counter(
            "aml_memory_health_checks", "Checks by what they found.", ["agent", "status"], registry=registry
        )

    def show(self, agent: str, report: HealthReport) -> None:
        for status in get_args(HealthStatus):
            self._status.labels(agent, status).set(status == report.status)
        if report.measured_at is None:
            return
        self._measured.labels(agent).set(report.measured_at.timestamp())
        self._took.labels(agent).set(report.seconds or 0.0)
        self._unscored.labels(agent).set(report.planned - report.scored)
        if report.overall is not None:
            self._overall.labels(agent).set(report.overall)
        for each in report.categories:
            if each.score is not None:
                self._category.labels(agent, each.category).set(each.score)

    def count(self, agent: str, status: HealthStatus) -> None:
        self._checks.labels(agent, status).inc()
