"""`aml audit rejudge`: what another judge says of the answers that a bundle holds."""

import asyncio
import os
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from aml.judge.chat_models import ChatModels
from aml.judge.errors import ModelRefused
from aml.judge.model_endpoint import endpoint_of
from aml.judge.settings import OpenAiSettings
from aml.runtime.clock import SystemClock
from aml.runtime.release_folder import MANIFEST, LoadedRelease, ReleaseError, find_release, load_release
from aml.runtime.settings import read_settings
from aml.toolkit.audit.opened_job import OpenedJob, read_job
from aml.toolkit.audit.rejudge import Rejudgement, rejudge
from aml.toolkit.audit.rejudge_lines import rejudge_lines
from aml.toolkit.evaluation.errors import WrongUsage

from .audit_options import Bundle, OutcomeFile, Releases
from .boundary import CommandFailed, ExitCode
from .opened_bundle import OpenedBundle
from .output_file import check_output, write_json


def rejudge_bundle(
    bundle: Bundle,
    judge: Annotated[str, typer.Option("--judge", metavar="RELEASE", help="A release's id, or its folder.")],
    job: Annotated[str | None, typer.Option("--job", metavar="ID", help="Where the bundle holds several.")] = None,
    releases: Releases = None,
    every: Annotated[bool, typer.Option("--all", help="Show also the questions on which both agree.")] = False,
    json: OutcomeFile = None,
) -> None:
    """Score the stored answers again under another judge, question by question.

    A release with a model judge calls AML_OPENAI_BASE_URL with the keys in AML_OPENAI_API_KEYS_FILE.
    """
    check_output("--json", json)
    release = _release(judge, releases)
    with OpenedBundle(bundle) as archive:
        opened = read_job(archive.files, job)
    outcome = asyncio.run(_rejudge(opened, release))
    for line in rejudge_lines(outcome, every=every):
        typer.echo(line)
    write_json(json, outcome)


async def _rejudge(job: OpenedJob, release: LoadedRelease) -> Rejudgement:
    settings = read_settings(_ModelOnly, os.environ).openai  # noqa: TID251 - this command's one reading of it
    models = ChatModels(endpoint_of(settings), SystemClock())
    try:
        return await rejudge(job, release, models.judging(release))
    except ModelRefused as error:
        raise CommandFailed(error.detail, ExitCode.BAD_USAGE) from None
    finally:
        await models.close()


def _release(named: str, releases: Path | None) -> LoadedRelease:
    folder = Path(named)
    try:
        return load_release(folder if (folder / MANIFEST).is_file() else find_release(named, releases))
    except ReleaseError as error:
        raise WrongUsage("--judge", str(error)) from None


class _ModelOnly(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    openai: OpenAiSettings = msgspec.field(default_factory=OpenAiSettings)
