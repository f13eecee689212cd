"""When a job is over, and what its seal says. Pure."""

from aml.contracts.seals import JobSealed
from aml.contracts.vocabulary import JobState

from .append_batch import JobHead


def decide_seal(job_id: str, head: JobHead, now_ms: int) -> JobSealed | None:
    """None while the job is not over, and when it has its seal.

    The seal closes what the log holds now. Facts that workers still deliver stand behind it and change no result.
    """
    state = _state(head)
    if state is None or head.sealed_idx is not None or head.last_leaf is None:
        return None
    return JobSealed(at=now_ms, job_id=job_id, state=state, entries=head.entries, last_leaf=head.last_leaf.hex())


def _state(head: JobHead) -> JobState | None:
    if head.stopped is not None:
        return head.stopped
    return "completed" if head.planned is not None and head.ended >= head.planned else None
