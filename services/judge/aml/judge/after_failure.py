"""What becomes of a question whose answer or verdict could not be had: requeued while that may help, then unscored."""

from aml.contracts.benchmark import Question
from aml.contracts.release import RetryPolicy
from aml.contracts.units import AnswerGenerated, SearchReturned, UnitRequeued
from aml.contracts.verdicts import UnitUnscored
from aml.contracts.vocabulary import Stage
from aml.rules.requeue import DETAIL_LIMIT, decide_requeue
from aml.runtime.lane import Delivery

from .errors import ModelUnavailable, UnscoredError


def after_failure(
    unit: SearchReturned | AnswerGenerated,
    delivery: Delivery,
    error: UnscoredError,
    *,
    stage: Stage,
    question: Question,
    policy: RetryPolicy,
    now_ms: int,
) -> UnitRequeued | UnitUnscored:
    """Only an unavailable model is worth another try; a refused request or an unreadable verdict stays what it is."""
    if isinstance(error, ModelUnavailable):
        requeued = decide_requeue(
            unit,
            stage=stage,
            trigger=delivery.subject,
            requeues_so_far=delivery.requeue,
            reason=error.reason,
            detail=error.detail,
            policy=policy,
            now_ms=now_ms,
        )
        if requeued is not None:
            return requeued
    return UnitUnscored(
        at=now_ms,
        job_id=unit.job_id,
        unit=unit.unit,
        sample=unit.sample,
        index=unit.index,
        dataset=unit.dataset,
        category=question.category,
        stage=stage,
        reason=error.reason,
        detail=error.detail[:DETAIL_LIMIT],
        attempts=error.primary_calls + error.retry_calls,
        attempt_log=None,
    )
