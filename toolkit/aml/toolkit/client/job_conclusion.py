"""From a job that is over to the sentence that ends a command, and what it means for a build. Pure."""

from enum import Enum

from msgspec import Struct

from aml.gateway.jobs.views import Job


class Ending(Enum):
    PASSED = "passed"
    REFUSED = "refused"
    INCOMPLETE = "incomplete"


class JobConclusion(Struct, frozen=True):
    ending: Ending
    sentence: str


def conclude_job(job: Job) -> JobConclusion:
    """A run that nobody finished is incomplete; one that the gate refused was finished, and is not good enough."""
    if (failure := job.failure) is not None:
        what = f"the {job.mode} run stopped in stage {failure.stage} ({failure.reason}): {failure.detail}"
        return JobConclusion(Ending.INCOMPLETE, what)
    if job.state == "cancelled":
        return JobConclusion(Ending.INCOMPLETE, f"the {job.mode} run was cancelled")
    planned, unscored = job.counts.planned or 0, job.counts.unscored
    if job.state != "completed":
        return JobConclusion(Ending.INCOMPLETE, f"the {job.mode} run is {job.state} in stage {job.stage}")
    if unscored:
        return JobConclusion(Ending.INCOMPLETE, f"{unscored:,} of {planned:,} questions are unscored")
    if job.gate == "refused" and job.mode == "full":
        return JobConclusion(Ending.REFUSED, "the gate refused the run; `aml results` shows which check failed")
    return JobConclusion(Ending.PASSED, f"the {job.mode} run is complete: all of {planned:,} questions scored")
