"""A job's row read as people read it: stage, counts, rate and what is left."""

from datetime import timedelta
from typing import Any

import pytest
from tests.factories.gateway_rows import NOW, a_row, a_running_row

from aml.gateway.jobs.job_view import job_view


def test_a_queued_job_has_no_totals_and_no_invented_figures() -> None:
    job = job_view(a_row())

    assert job.stage == "queued"
    assert (job.counts.planned, job.rate_per_second, job.eta_seconds, job.heartbeat_age_seconds) == (None,) * 4
    assert {stage.total for stage in job.stages} == {None}


@pytest.mark.parametrize(
    ("changes", "stage"),
    [
        ({"chunks_added": 3}, "ingest"),
        ({"searched": 40}, "retrieval"),
        ({"searched": 100, "answered": 40}, "answer"),
        ({"searched": 99, "unscored": 1, "answered": 99, "correct": 40}, "scoring"),
        ({"searched": 100, "answered": 100, "correct": 60, "incorrect": 40}, "aggregation"),
        ({"state": "failed"}, "aggregation"),
        ({"state": "completed", "gate": "refused"}, "ended"),
        ({"state": "cancelled", "sealed": True}, "ended"),
        ({"state": "cancelled"}, "aggregation"),  # an order: the seal may say that the job had ended before
    ],
)
def test_the_stage_is_the_first_with_work_left(changes: dict[str, Any], stage: str) -> None:
    assert job_view(a_running_row(**changes)).stage == stage


def test_rate_and_eta_come_from_questions_that_ended() -> None:
    job = job_view(a_running_row(searched=60, answered=55, correct=30, incorrect=15, graded=3, unscored=2))

    assert (job.counts.scored, job.counts.unscored) == (48, 2)
    assert job.rate_per_second == 5.0
    assert job.eta_seconds == 10.0
    assert job.heartbeat_age_seconds == 2.0


def test_an_ended_job_has_no_eta() -> None:
    job = job_view(a_running_row(state="completed", correct=100, ended_at=NOW - timedelta(seconds=5)))

    assert job.rate_per_second == 20.0
    assert job.eta_seconds is None


def test_a_failure_says_why() -> None:
    job = job_view(
        a_row(state="failed", failure_stage="ingest", failure_reason="contract", failure_detail="no success")
    )

    assert job.failure is not None
    assert (job.failure.stage, job.failure.reason, job.failure.detail) == ("ingest", "contract", "no success")


def test_questions_without_an_outcome_are_summed_up_by_stage_and_reason() -> None:
    grouped = {"stage": "retrieval", "reason": "transport", "questions": 3, "example": "connection refused"}

    job = job_view(a_running_row(unscored=3, errors=[grouped]))

    assert [(each.stage, each.reason, each.questions, each.example) for each in job.errors] == [tuple(grouped.values())]
