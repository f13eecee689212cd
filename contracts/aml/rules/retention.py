"""The 30-day rule: a job's evidence is destroyed once the job has been over for that long."""

from collections.abc import Collection, Mapping
from typing import Final

RETENTION_DAYS: Final = 30
DAY_MS: Final = 24 * 60 * 60 * 1000


def due_for_shredding(
    ended: Mapping[str, int], shredded: Collection[str], *, now_ms: int, days: int = RETENTION_DAYS
) -> tuple[str, ...]:
    """Jobs whose evidence has to go, the oldest first. `ended` holds Unix ms by job; a job that runs has no place in it."""
    limit = now_ms - days * DAY_MS
    due = sorted((at, job_id) for job_id, at in ended.items() if at <= limit and job_id not in shredded)
    return tuple(job_id for _, job_id in due)
