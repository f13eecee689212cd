"""A job, a list of jobs and what runs are left, as lines and tables."""

from collections.abc import Iterator

from rich.console import Console

from aml.gateway.jobs.views import Job, JobList, QuotaList
from aml.toolkit.shown_text import shown

from .listing import moment, print_table

_REASONS = {
    "hour_used": "this hour's are used",
    "interval": "the next one waits for the interval",
    "all_used": "all are used under this release",
    "job_active": "a job is active",
}


def print_jobs(console: Console, jobs: JobList) -> None:
    print_table(
        console,
        ("job", "mode", "track", "system", "label", "state", "stage", "requested"),
        (
            (job.job_id, job.mode, job.track, job.system, job.run_label, job.state, job.stage, job.requested_at)
            for job in jobs.jobs
        ),
        empty="no job yet; `aml smoke` starts the first",
    )


def print_quotas(console: Console, quotas: QuotaList) -> None:
    print_table(
        console,
        ("mode", "used", "limit", "possible", "next", "why not now"),
        (
            (
                each.mode,
                each.used,
                each.limit,
                "now" if each.possible_now else "no",
                None if each.possible_now else each.available_at,
                None if each.reason is None else _reason(each.reason, each.active_job_id),
            )
            for each in quotas.quotas
        ),
        empty="this release has no quota",
    )
    console.print(
        f"track {quotas.track}, release {quotas.release_id}, by the platform's clock: {moment(quotas.now)}",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )


def _reason(reason: str, active_job_id: str | None) -> str:
    said = _REASONS.get(reason, reason)
    return said if active_job_id is None else f"{said}: {active_job_id}"


def job_lines(job: Job) -> Iterator[str]:
    """What a person asks about a job that is over or stands, first things first."""
    yield f"job {job.job_id}: {job.mode} of {shown(job.system)} {shown(job.version)}, {job.state} ({job.stage})"
    counts = job.counts
    if counts.planned is not None:
        yield f"questions: {counts.planned:,} planned, {counts.scored:,} scored, {counts.unscored:,} unscored"
    if job.queue_place is not None:
        yield f"place {job.queue_place} in the queue"
    if job.stalled is not None:
        yield f"stalled for {job.stalled.since_seconds:.0f} s in {job.stalled.stage}: {shown(job.stalled.why)}"
    if job.failure is not None:
        yield f"failed in {job.failure.stage} ({job.failure.reason}): {shown(job.failure.detail, 500)}"
    for each in job.errors:
        yield f"unscored: {each.questions:,} in {each.stage} for {each.reason}, e.g. {shown(each.example)}"
    if job.gate is not None and job.mode == "full":
        decision = "" if job.decision is None else f", reviewers: {job.decision}"
        yield f"gate: {job.gate}{decision}"
