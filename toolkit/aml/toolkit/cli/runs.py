"""`aml smoke`, `aml full`, `aml watch` and what else one does with runs on the platform."""

import os
import secrets
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import typer

from aml.gateway.jobs.bodies import Checklist, JobOrder
from aml.gateway.jobs.views import Job
from aml.toolkit.client.job_conclusion import conclude_job
from aml.toolkit.client.job_view import job_lines, print_jobs, print_quotas
from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.evaluation.progress import progress_view, show_job
from aml.toolkit.evaluation.run_plan import default_label
from aml.toolkit.plain_line import print_line
from aml.toolkit.platform import Platform
from aml.toolkit.shown_text import shown

from .exit_codes import CODES
from .interruption import interrupted_by_sigterm
from .platform_access import AsJson, KeyFile, Limit, Offset, Url, call, call_with_key, caller
from .spoken_answer import tell
from .terminal import make_console

_ITEMS = {
    "smoke_passed": ("--smoke-passed", "A smoke run of this very version passed."),
    "contract_followed": ("--contract-followed", "The system keeps to the participant contract."),
    "run_instructions_complete": ("--run-instructions-complete", "The run instructions are complete and current."),
    "originality_disclosed": ("--originality-disclosed", "Works, authors and changes are disclosed."),
    "no_integrity_violations": ("--no-integrity-violations", "Nothing breaks the integrity rules."),
}
"""Of the checklist: field to option and sentence."""

JobId = Annotated[str, typer.Argument(metavar="JOB", help="Its id, as `aml jobs` lists it.")]
Label = Annotated[str | None, typer.Option("--label", help="A name of your own; unique for a key and track.")]
VersionId = Annotated[
    str | None, typer.Option("--version", metavar="ID", help="Needed where several versions are bound to the key.")
]
Release = Annotated[str | None, typer.Option("--release", metavar="ID", help="Without it the platform's own choice.")]
AddAtOnce = Annotated[
    int | None, typer.Option("--add-concurrency", min=1, max=1024, help="Within what the version declared.")
]
SearchAtOnce = Annotated[
    int | None, typer.Option("--search-concurrency", min=1, max=1024, help="Within what the version declared.")
]
Detach = Annotated[bool, typer.Option("--detach", "-d", help="Return as soon as it is ordered.")]


def smoke(
    version: VersionId = None,
    label: Label = None,
    release: Release = None,
    add_concurrency: AddAtOnce = None,
    search_concurrency: SearchAtOnce = None,
    detach: Detach = False,
    platform: Url = None,
    key_file: KeyFile = None,
    json: AsJson = False,
) -> None:
    """Start a smoke run and follow it.

    Exit codes: 0 every question scored, 2 bad usage or refused, 4 unfinished or unscored, or no run is left for now.
    """
    _order(
        "smoke", version, label, release, (add_concurrency, search_concurrency), None,
        detach=detach, platform=platform, key_file=key_file, json=json,
    )  # fmt: skip


def full(
    version: VersionId = None,
    label: Label = None,
    release: Release = None,
    smoke_passed: Annotated[bool, typer.Option(_ITEMS["smoke_passed"][0], help=_ITEMS["smoke_passed"][1])] = False,
    contract_followed: Annotated[
        bool, typer.Option(_ITEMS["contract_followed"][0], help=_ITEMS["contract_followed"][1])
    ] = False,
    run_instructions_complete: Annotated[
        bool, typer.Option(_ITEMS["run_instructions_complete"][0], help=_ITEMS["run_instructions_complete"][1])
    ] = False,
    originality_disclosed: Annotated[
        bool, typer.Option(_ITEMS["originality_disclosed"][0], help=_ITEMS["originality_disclosed"][1])
    ] = False,
    no_integrity_violations: Annotated[
        bool, typer.Option(_ITEMS["no_integrity_violations"][0], help=_ITEMS["no_integrity_violations"][1])
    ] = False,
    add_concurrency: AddAtOnce = None,
    search_concurrency: SearchAtOnce = None,
    detach: Detach = False,
    platform: Url = None,
    key_file: KeyFile = None,
    json: AsJson = False,
) -> None:
    """Start a full run and follow it. It freezes the version, and two are allowed; the checklist is asked for on a terminal.

    Exit codes: 0 complete, 2 bad usage or refused, 3 the gate refused it, 4 unfinished or unscored, or no run is left for now.
    """
    ticked = Checklist(
        smoke_passed=smoke_passed,
        contract_followed=contract_followed,
        run_instructions_complete=run_instructions_complete,
        originality_disclosed=originality_disclosed,
        no_integrity_violations=no_integrity_violations,
    )
    caller(platform, key_file)  # a missing key is found before five questions are asked
    _order(
        "full", version, label, release, (add_concurrency, search_concurrency), complete(ticked),
        detach=detach, platform=platform, key_file=key_file, json=json,
    )  # fmt: skip


def complete(ticked: Checklist) -> Checklist:
    """Asks for what no flag said, on a terminal. Raises `WrongUsage` elsewhere, and `typer.Abort` at a no."""
    missing = [name for name in Checklist.__struct_fields__ if not getattr(ticked, name)]
    if missing and not os.isatty(0):
        raise WrongUsage("checklist", f"confirm with {' '.join(_ITEMS[name][0] for name in missing)}")
    for name in missing:
        typer.confirm(_ITEMS[name][1], abort=True)
    return Checklist(**dict.fromkeys(Checklist.__struct_fields__, True))


def watch(job_id: JobId, platform: Url = None, key_file: KeyFile = None, json: AsJson = False) -> None:
    """Follow a run to its end. --json prints a line at every change.

    Exit codes: 0 complete, 3 the gate refused it, 4 unfinished or unscored.
    """
    _follow(platform, caller(platform, key_file).key, job_id, json=json)


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
    _print_job(call_with_key(platform, key_file, lambda api: api.cancel(job_id, reason)), json=json)


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
    _follow(platform, key, resumed.job.job_id, json=json)


def _order(
    mode: Literal["smoke", "full"],
    version: str | None,
    label: str | None,
    release: str | None,
    at_once: tuple[int | None, int | None],
    checklist: Checklist | None,
    *,
    detach: bool,
    platform: str | None,
    key_file: Path | None,
    json: bool,
) -> None:
    key = caller(platform, key_file).key

    async def order(api: Platform) -> Job:
        return await api.create_job(
            JobOrder(
                version_id=version or await _only_version(api),
                mode=mode,
                run_label=label or default_label(datetime.now(UTC), secrets.token_hex(2)),
                add_concurrency=at_once[0],
                search_concurrency=at_once[1],
                checklist=checklist,
                release_id=release,
            )
        )

    job = call(platform, key, order)
    if detach:
        _print_job(job, json=json)
        return
    _follow(platform, key, job.job_id, json=json)


async def _only_version(api: Platform) -> str:
    """Raises `WrongUsage`: which of several is not guessed."""
    live = [each for each in (await api.versions()).versions if each.withdrawn_at is None]
    if len(live) == 1:
        return live[0].version_id
    listed = ", ".join(f"{each.version_id} ({shown(each.system, 40)} {shown(each.version, 20)})" for each in live)
    raise WrongUsage("--version", f"is missing; bound to this key are {listed or 'none'}")


def _follow(platform: str | None, key: str, job_id: str, *, json: bool) -> None:
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


def _print_job(job: Job, *, json: bool) -> None:
    tell(job, "\n".join(job_lines(job)), json=json)
