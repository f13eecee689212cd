"""The attempts of a participant's calls, kept as evidence beside the fact that they led to.

Kept where there was more than one attempt or a failure. The usual single success costs no object: its fact says all of it.
"""

from typing import Literal, TypeVar

from msgspec.structs import replace

from aml.contracts.envelope import EvidenceRef
from aml.contracts.jobs import JobFailed
from aml.contracts.participant import Attempt, AttemptLog
from aml.contracts.units import UnitRequeued
from aml.contracts.verdicts import UnitUnscored
from aml.rules.identity import event_id, event_id_at

from .evidence import EvidenceStore

F = TypeVar("F", bound=JobFailed | UnitRequeued | UnitUnscored)


async def keep_attempts(
    evidence: EvidenceStore, job_id: str, subject: str, call: Literal["add", "search"], attempts: tuple[Attempt, ...]
) -> EvidenceRef | None:
    """For a success at `subject`. None for a single attempt. Raises `EvidenceUnavailable`."""
    if len(attempts) < 2:
        return None
    return await evidence.put_json(job_id, event_id_at(subject), AttemptLog(call=call, attempts=attempts))


async def with_attempts(
    evidence: EvidenceStore, failed: F, call: Literal["add", "search"], attempts: tuple[Attempt, ...]
) -> F:
    """`failed` citing its attempts; unchanged where nobody was called. Raises `EvidenceUnavailable`."""
    if not attempts:
        return failed
    log = AttemptLog(call=call, attempts=attempts)
    return replace(failed, attempt_log=await evidence.put_json(failed.job_id, event_id(failed), log))
