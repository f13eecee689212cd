"""Evidence that no event cites: a worker wrote it and died before it stated the fact, or a submission was rolled back."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from .evidence_use import EvidenceUse

GRACE_HOURS: Final = 48
"""Longer than any unit of work waits between writing evidence and stating its fact."""
HOUR_MS: Final = 60 * 60 * 1000


class StoredObject(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    path: str
    job_id: str
    digest: str | None
    """None for a job's data key."""
    size: int
    written_ms: int


def find_orphans(
    objects: Iterable[StoredObject], use: EvidenceUse, *, now_ms: int, grace_hours: int = GRACE_HOURS
) -> tuple[StoredObject, ...]:
    """The objects must be listed before the log is read: what is cited meanwhile is then seen to be cited.

    A job's key is an orphan only where the log does not know the job. What is left of a destroyed job is one at any age.
    """
    limit = now_ms - grace_hours * HOUR_MS
    return tuple(
        each
        for each in objects
        if each.job_id in use.shredded or (each.written_ms <= limit and not _is_used(each, use))
    )


def _is_used(each: StoredObject, use: EvidenceUse) -> bool:
    if each.digest is None:
        return each.job_id in use.jobs
    return each.digest in use.cited.get(each.job_id, ())
