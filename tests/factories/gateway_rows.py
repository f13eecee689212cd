"""Rows of the gateway's read model; a test states only what matters to it."""

from datetime import UTC, datetime, timedelta
from typing import Any

from aml.gateway.jobs.job_queries import JobRow
from aml.gateway.results.views import QuestionRow

NOW = datetime(2026, 9, 20, 12, tzinfo=UTC)


def a_row(**changes: Any) -> JobRow:
    values: dict[str, Any] = dict.fromkeys(JobRow.__struct_fields__)
    values |= {
        "job_id": "j", "key_id": "k", "version_id": "v", "system": "s", "version": "1", "track": "textual",
        "division": "open_source", "mode": "full", "arm": "participant", "run_label": "l", "release_id": "practice",
        "release_digest": "a" * 64, "add_concurrency": 1, "search_concurrency": 1, "requested_at": NOW,
        "state": "queued", "sealed": False, "reviews": 0, "now": NOW,
    }  # fmt: skip
    return JobRow(**(values | changes))


def a_running_row(**changes: Any) -> JobRow:
    values = {
        "state": "running", "planned_at": NOW - timedelta(seconds=10), "last_at": NOW - timedelta(seconds=2),
        "moved_at": NOW - timedelta(seconds=2), "samples": 1, "chunks": 10, "questions": 100, "chunks_added": 10,
    }  # fmt: skip
    return a_row(**(values | changes))


def a_question(**changes: Any) -> QuestionRow:
    values: dict[str, Any] = dict.fromkeys(QuestionRow.__struct_fields__)
    return QuestionRow(**(values | {"unit": "u0", "dataset": "d", "sample": "s1", "item": 0} | changes))
