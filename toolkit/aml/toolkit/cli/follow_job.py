"""A run on the platform, shown while it goes on and when it is over."""

import msgspec
import typer

from aml.gateway.jobs.views import Job
from aml.toolkit.client.job_conclusion import conclude_job
from aml.toolkit.client.job_view import job_lines
from aml.toolkit.evaluation.progress import progress_view, show_job
from aml.toolkit.plain_line import print_line
from aml.toolkit.platform import Platform

from .exit_codes import CODES
from .interruption import interrupted_by_sigterm
from .platform_access import call
from .spoken_answer import tell
from .terminal import make_console


def follow_job(platform: str | None, key: str, job_id: str, *, json: bool) -> None:
    """Ends the command with the exit code of what became of the run. Its interruption leaves the run alone."""
    console = make_console()

    async def follow(api: Platform) -> Job:
        with progress_view(console) as view:
            async for job in api.watch(job_id):
                if json:
                    typer.echo(msgspec.json.encode(job))
                else:
                    show_job(view, job.run_label, job)
                last = job
        return last

    with interrupted_by_sigterm():
        try:
            job = call(platform, key, follow)
        except KeyboardInterrupt:
            typer.echo(f"the run goes on without this command: aml watch {job_id}", err=True)
            raise
    verdict = conclude_job(job)
    if not json:
        for line in job_lines(job):
            print_line(console, line)
        print_line(console, verdict.sentence)
    raise typer.Exit(CODES[verdict.conclusion])


def print_job(job: Job, *, json: bool) -> None:
    tell(job, "\n".join(job_lines(job)), json=json)
