"""`aml judge`: what a release's judge is worth, measured on the shipped labelled answers."""

import asyncio
import os
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from aml.contracts.calibration import JudgeCalibrated
from aml.judge.calibration.calibration_set import CalibrationSet, CalibrationSetError, pinned_set
from aml.judge.calibration.measure import Measured, calibrated, measure_judge
from aml.judge.chat_models import ChatModels
from aml.judge.errors import ModelRefused, UnscoredError
from aml.judge.model_endpoint import endpoint_of
from aml.judge.settings import OpenAiSettings
from aml.runtime.clock import SystemClock
from aml.runtime.pipeline_digest import pipeline_digest
from aml.runtime.release_folder import MANIFEST, LoadedRelease, ReleaseError, find_release, load_release
from aml.runtime.settings import read_settings
from aml.toolkit.calibration.calibration_lines import calibration_lines, reached
from aml.toolkit.evaluation.errors import WrongUsage

from .boundary import CommandFailed, ExitCode
from .output_file import check_output, write_json

app = typer.Typer(help="Measure a release's judge.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """With a callback the one command keeps its name: `aml judge calibrate`."""


@app.command("calibrate")
def calibrate(
    release: Annotated[str, typer.Option("--release", metavar="ID", help="A release's id, or its folder.")],
    releases: Annotated[
        Path | None, typer.Option("--releases", help="A folder of release folders beside the bundled ones.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Show each answer on which judge and label differ.")] = False,
    json: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the measurement there.")] = None,
) -> None:
    """Score the shipped labelled answers with a release's judge, and say how far it agrees with a person.

    A release with a model judge calls AML_OPENAI_BASE_URL with the keys in AML_OPENAI_API_KEYS_FILE.

    Exit codes: 0 the release's threshold is reached, 2 bad usage, 3 it is not reached, 4 the model could not be asked.
    """
    check_output("--json", json)
    loaded = _release(release, releases)
    demand = loaded.release.calibration
    if demand is None:
        raise WrongUsage("--release", f"{loaded.release.release_id} asks for no calibration")
    try:
        answers = pinned_set(demand.answers, demand.sha256)
    except CalibrationSetError as error:
        raise WrongUsage("--release", str(error)) from None
    fact, measured = asyncio.run(_measured(loaded, answers))
    for line in calibration_lines(fact, measured, demand, every=every):
        typer.echo(line)
    write_json(json, fact)
    if not reached(fact, demand):
        raise typer.Exit(ExitCode.BELOW_THRESHOLD)


async def _measured(loaded: LoadedRelease, answers: CalibrationSet) -> tuple[JudgeCalibrated, Measured]:
    settings = read_settings(_ModelOnly, os.environ).openai  # noqa: TID251 - this command's one reading of it
    clock = SystemClock()
    models = ChatModels(endpoint_of(settings), clock)
    try:
        measured = await measure_judge(loaded, answers, models.judging(loaded))
    except ModelRefused as error:
        raise CommandFailed(error.detail, ExitCode.BAD_USAGE) from None
    except UnscoredError as error:
        raise CommandFailed(str(error), ExitCode.INCOMPLETE) from None
    finally:
        await models.close()
    return calibrated(measured, loaded, pipeline_digest(), clock.now_ms()), measured


class _ModelOnly(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    openai: OpenAiSettings = msgspec.field(default_factory=OpenAiSettings)


def _release(named: str, releases: Path | None) -> LoadedRelease:
    folder = Path(named)
    try:
        return load_release(folder if (folder / MANIFEST).is_file() else find_release(named, releases))
    except ReleaseError as error:
        raise WrongUsage("--release", str(error)) from None
