"""From a job that is over to the sentence that ends a command, and what it means for a build. Pure."""

from aml.gateway.jobs.views import Job
from aml.toolkit.evaluation.exit_decision import Conclusion, Verdict


def conclude_job(job: Job) -> Verdict:
    """A run that nobody finished is incomplete; one that the gate refused was finished, and is not good enough."""
    if (failure := job.failure) is not None:
        what = f"the {job.mode} run stopped in stage {failure.stage} ({failure.reason}): {failure.detail}"
        return Verdict(Conclusion.INCOMPLETE, what)
    if job.state == "cancelled":
        return Verdict(Conclusion.INCOMPLETE, f"the {job.mode} run was cancelled")
    planned, unscored = job.counts.planned or 0, job.counts.unscored
    if job.state != "completed":
        return Verdict(Conclusion.INCOMPLETE, f"the {job.mode} run is {job.state} in stage {job.stage}")
    if unscored:
        return Verdict(Conclusion.INCOMPLETE, f"{unscored:,} of {planned:,} questions are unscored")
    if job.gate == "refused" and job.mode == "full":
        return Verdict(Conclusion.BELOW_THRESHOLD, "the gate refused the run; `aml results` shows which check failed")
    return Verdict(Conclusion.PASSED, f"the {job.mode} run is complete: all of {planned:,} questions scored")
