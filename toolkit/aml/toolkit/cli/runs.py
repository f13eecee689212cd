"""`aml watch` and what else one does with runs that were ordered on the platform."""

from typing import Annotated

import typer

from aml.toolkit.client.job_view import print_jobs, print_quotas

from .follow_job import follow_job, print_job
from .job_options import Detach, JobId, Label, Release
from .platform_access import AsJson, KeyFile, Limit, Offset, Url, call, call_with_key, caller
from .spoken_answer import tell


def watch(job_id: JobId, platform: Url = None, key_file: KeyFile = None, json: AsJson = False) -> None:
    """Follow a run to its end. --json prints a line at every change.

    Exit codes: 0 complete, 3 the gate refused it, 4 unfinished or unscored.
    """
    follow_job(platform, caller(platform, key_file).key, job_id, json=json)


def jobs(
    limit: Limit = 20, offset: Offset = 0, platform: Url = None, key_file: KeyFile = None, json: AsJson = False
) -> None:
    """List your runs, newest first."""
    found = call_with_key(platform, key_file, lambda api: api.jobs(limit, offset))
    tell(found, print_jobs, json=json)


def quotas(
    track: Annotated[str | None, typer.Option("--track", help="textual, multimodal or coding.")] = None,
    release: Release = None,
    platform: Url = None,
    key_file: KeyFile = None,
    json: AsJson = False,
) -> None:
    """Show what runs are left, and when the next is possible."""
    found = call_with_key(platform, key_file, lambda api: api.quotas(track, release))
    tell(found, print_quotas, json=json)


def cancel(
    job_id: JobId,
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT")] = "cancelled by its owner",
    platform: Url = None,
    key_file: KeyFile = None,
    json: AsJson = False,
) -> None:
    """Cancel a run. Before its first Add it costs no quota."""
    print_job(call_with_key(platform, key_file, lambda api: api.cancel(job_id, reason)), json=json)


def resume(
    job_id: JobId,
    label: Label = None,
    detach: Detach = False,
    platform: Url = None,
    key_file: KeyFile = None,
    json: AsJson = False,
) -> None:
    """Take up again a run that failed, was cancelled or stands, and follow it. Exit codes as of `aml watch`."""
    key = caller(platform, key_file).key
    resumed = call(platform, key, lambda api: api.resume(job_id, label))
    if detach:
        tell(resumed, f"job {resumed.job.job_id}: {resumed.how.replace('_', ' ')}", json=json)
        return
    follow_job(platform, key, resumed.job.job_id, json=json)
