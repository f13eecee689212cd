"""What becomes of a unit whose call to its participant failed for good: the job stops, or the unit is tried again later."""

from aml.contracts.envelope import UnitFact
from aml.contracts.jobs import JobFailed
from aml.contracts.release import RetryPolicy
from aml.contracts.units import UnitRequeued
from aml.contracts.vocabulary import Stage
from aml.rules.requeue import DETAIL_LIMIT, decide_requeue

from .lane import Delivery
from .participant.errors import ParticipantError


def stop_or_requeue(
    unit: UnitFact, delivery: Delivery, error: ParticipantError, *, stage: Stage, policy: RetryPolicy, now_ms: int
) -> JobFailed | UnitRequeued | None:
    """None when the policy's requeues are used up: the unit's questions end unscored."""
    detail = str(error)[:DETAIL_LIMIT]
    if not error.retryable:
        return JobFailed(
            at=now_ms,
            job_id=unit.job_id,
            stage=stage,
            reason=error.unscored_reason,
            detail=detail,
            attempt_log=None,
        )
    return decide_requeue(
        unit,
        stage=stage,
        trigger=delivery.subject,
        requeues_so_far=delivery.requeue,
        reason=error.unscored_reason,
        detail=detail,
        policy=policy,
        now_ms=now_ms,
    )
