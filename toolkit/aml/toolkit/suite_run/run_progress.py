"""How far a run is, for whoever watches it."""

from collections.abc import Callable

from msgspec import Struct

from aml.gateway.jobs.views import Job
from aml.toolkit.evaluation.follow_job import stage_progress


class RunProgress(Struct, frozen=True, kw_only=True):
    job_id: str
    stage: str
    done: int
    total: int | None
    """None until the job is planned."""
    unscored: int
    repeat: int = 0


OnProgress = Callable[[RunProgress], None]


def progress_of(job: Job, repeat: int) -> RunProgress:
    stage = stage_progress(job)
    counts = job.counts
    return RunProgress(
        job_id=job.job_id,
        stage="finished" if job.stage == "ended" else job.stage,
        done=stage.done if stage else counts.scored + counts.unscored,
        total=stage.total if stage else counts.planned,
        unscored=counts.unscored,
        repeat=repeat,
    )
