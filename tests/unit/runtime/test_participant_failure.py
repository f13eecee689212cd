import pytest

from aml.contracts.jobs import JobFailed
from aml.contracts.release import RetryPolicy
from aml.contracts.units import QuestionOpened, UnitRequeued
from aml.rules.requeue import DETAIL_LIMIT
from aml.runtime.lane import Delivery
from aml.runtime.participant.errors import (
    AuthenticationRefused,
    HttpRefused,
    ParticipantError,
    SchemaViolated,
    TransportFailed,
)
from aml.runtime.participant_failure import stop_or_requeue

UNIT = QuestionOpened(at=1, job_id="j", unit="u", sample="s", index=0, dataset="d")
SUBJECT = "aml.v1.job.j.question_opened.u"


def decided(error: ParticipantError, *, requeue: int = 0) -> JobFailed | UnitRequeued | None:
    policy = RetryPolicy(requeues=2, requeue_seconds=(1.0, 4.0))
    return stop_or_requeue(
        UNIT, Delivery(SUBJECT, requeue=requeue), error, stage="retrieval", policy=policy, now_ms=1000
    )


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (SchemaViolated("`score` is text"), "contract"),
        (AuthenticationRefused("the key was refused"), "authentication"),
        (HttpRefused("status 404"), "contract"),
    ],
)
def test_what_trying_again_cannot_mend_stops_the_job(error: ParticipantError, reason: str) -> None:
    failed = decided(error)

    assert isinstance(failed, JobFailed)
    assert (failed.job_id, failed.stage, failed.reason, failed.at) == ("j", "retrieval", reason, 1000)
    assert failed.detail == str(error)


def test_what_may_pass_is_tried_again_later_by_the_same_stage() -> None:
    requeued = decided(TransportFailed("no answer", retryable=True), requeue=1)

    assert isinstance(requeued, UnitRequeued)
    assert (requeued.unit, requeued.requeue, requeued.not_before) == ("u-retrieval-2", 2, 5000)
    assert (requeued.trigger, requeued.reason) == (SUBJECT, "transport")


def test_nothing_is_left_when_the_requeues_are_used_up() -> None:
    assert decided(HttpRefused("status 503", retryable=True), requeue=2) is None


def test_the_detail_is_bounded() -> None:
    failed = decided(SchemaViolated("wrong", advice="x" * 2 * DETAIL_LIMIT))

    assert isinstance(failed, JobFailed)
    assert len(failed.detail) == DETAIL_LIMIT
