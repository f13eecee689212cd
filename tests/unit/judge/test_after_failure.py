import pytest
from tests.factories.samples import a_question

from aml.contracts.envelope import EvidenceRef
from aml.contracts.release import RetryPolicy
from aml.contracts.units import SearchReturned, UnitRequeued
from aml.contracts.verdicts import UnitUnscored
from aml.judge.after_failure import after_failure
from aml.judge.errors import ModelRefused, ModelReplyUnusable, ModelUnavailable, VerdictUnreadable
from aml.runtime.lane import Delivery

UNIT = SearchReturned(
    at=1,
    job_id="j",
    unit="u",
    sample="s",
    index=0,
    dataset="d",
    returned=0,
    memories=EvidenceRef(digest="0" * 64, size=2, media_type="application/json"),
    attempts=1,
    latency=1,
    received=2,
    attempt_log=None,
)


def ending(error, requeue=0, stage="answer"):
    return after_failure(
        UNIT,
        Delivery("aml.v1.job.j.search_returned.u", requeue=requeue),
        error,
        stage=stage,
        question=a_question("q"),
        policy=RetryPolicy(requeues=2, requeue_seconds=(1.0, 4.0)),
        now_ms=1000,
    )


def test_an_unavailable_model_is_asked_again_later():
    requeued = ending(ModelUnavailable("model", "the endpoint answered 503", primary_calls=1, retry_calls=3))

    assert isinstance(requeued, UnitRequeued)
    assert (requeued.unit, requeued.requeue, requeued.not_before) == ("u-answer-1", 1, 2000)
    assert requeued.trigger == "aml.v1.job.j.search_returned.u"


def test_requeues_are_bounded_and_end_unscored_never_wrong():
    unscored = ending(ModelUnavailable("model", "still away", primary_calls=1, retry_calls=3), requeue=2)

    assert isinstance(unscored, UnitUnscored)
    assert (unscored.reason, unscored.attempts, unscored.stage) == ("model", 4, "answer")


@pytest.mark.parametrize("kind", [ModelRefused, ModelReplyUnusable, VerdictUnreadable])
def test_what_another_try_does_not_mend_is_unscored_at_once(kind):
    unscored = ending(kind("judge", "x" * 2000), stage="scoring")

    assert isinstance(unscored, UnitUnscored)
    assert unscored.reason == "judge"
    assert len(unscored.detail) <= 500
