"""`aml full` as a user types it, against a server that plays the platform."""

import json

import pytest
from tests.unit.toolkit.cli.played_platform import Played
from typer.main import get_command

from aml.toolkit.cli.boundary import run_command
from aml.toolkit.cli.whole_app import app


def aml(*words: str) -> int:
    command = get_command(app)
    return run_command(lambda given: command(given, prog_name="aml", standalone_mode=False), words)


def test_a_full_run_is_ordered_with_every_item_ticked_and_no_run_left_is_incomplete(
    played: type[Played], capsys: pytest.CaptureFixture[str]
) -> None:
    items = ("smoke-passed", "contract-followed", "run-instructions-complete", "originality-disclosed")
    assert aml("full", "--version", "ver-1", *(f"--{item}" for item in items)) == 2
    assert played.ordered == ()
    assert capsys.readouterr().err == "aml: checklist: confirm with --no-integrity-violations\n"

    assert aml("full", "--version", "ver-1", "--no-integrity-violations", *(f"--{item}" for item in items)) == 4

    (sent,) = played.ordered
    assert all(json.loads(sent)["checklist"].values())
    assert capsys.readouterr().err == "aml: the platform refused (quota_exceeded): 2 of 2 full runs are used\n"
