"""What becomes of a unit whose call failed for good: tried again later, a bounded number of times, or unscored."""

from aml.contracts.envelope import UnitFact
from aml.contracts.release import RetryPolicy
from aml.contracts.units import UnitRequeued
from aml.contracts.vocabulary import Stage, UnscoredReason

DETAIL_LIMIT = 500


def decide_requeue(
    unit: UnitFact,
    *,
    stage: Stage,
    trigger: str,
    requeues_so_far: int,
    reason: UnscoredReason,
    detail: str,
    policy: RetryPolicy,
    now_ms: int,
) -> UnitRequeued | None:
    """The next requeue of `unit`, or None when the policy's requeues are used up."""
    if requeues_so_far >= policy.requeues:
        return None
    waits = policy.requeue_seconds or (0.0,)
    wait = waits[min(requeues_so_far, len(waits) - 1)]
    return UnitRequeued(
        at=now_ms,
        job_id=unit.job_id,
        unit=f"{unit.unit}-{stage}-{requeues_so_far + 1}",
        stage=stage,
        requeue=requeues_so_far + 1,
        trigger=trigger,
        reason=reason,
        detail=detail[:DETAIL_LIMIT],
        not_before=now_ms + int(wait * 1000),
        attempt_log=None,
    )
