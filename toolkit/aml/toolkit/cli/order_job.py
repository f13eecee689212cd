"""`aml smoke` and `aml full`: a run on the platform is ordered, and followed unless told otherwise."""

import secrets
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from aml.gateway.jobs.bodies import Checklist, JobOrder
from aml.gateway.jobs.views import Job
from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.evaluation.run_plan import default_label
from aml.toolkit.platform import Platform
from aml.toolkit.shown_text import shown

from .checklist import (
    ContractFollowed,
    NoIntegrityViolations,
    OriginalityDisclosed,
    RunInstructionsComplete,
    SmokePassed,
    complete,
)
from .follow_job import follow_job, print_job
from .job_options import AddAtOnce, Detach, Label, Release, SearchAtOnce, VersionId
from .platform_access import AsJson, KeyFile, Url, call, caller


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
    smoke_passed: SmokePassed = False,
    contract_followed: ContractFollowed = False,
    run_instructions_complete: RunInstructionsComplete = False,
    originality_disclosed: OriginalityDisclosed = False,
    no_integrity_violations: NoIntegrityViolations = False,
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
        print_job(job, json=json)
        return
    follow_job(platform, key, job.job_id, json=json)


async def _only_version(api: Platform) -> str:
    """Raises `WrongUsage`: which of several is not guessed."""
    live = [each for each in (await api.versions()).versions if each.withdrawn_at is None]
    if len(live) == 1:
        return live[0].version_id
    listed = ", ".join(f"{each.version_id} ({shown(each.system, 40)} {shown(each.version, 20)})" for each in live)
    raise WrongUsage("--version", f"is missing; bound to this key are {listed or 'none'}")
