"""`aml audit rejudge` as a user types it, on a bundle alone."""

from pathlib import Path

import pytest
from typer.main import get_command

from aml.toolkit.cli.boundary import run_command
from aml.toolkit.cli.whole_app import app


def aml(*arguments: object) -> int:
    command = get_command(app)
    return run_command(
        lambda given: command(given, prog_name="aml", standalone_mode=False), [str(each) for each in arguments]
    )


def test_rejudge_asks_for_opened_evidence(job_bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert aml("audit", "rejudge", job_bundle, "--judge", "practice") == 1
    assert "--open" in capsys.readouterr().err


def test_a_judge_that_is_not_there(job_bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert aml("audit", "rejudge", job_bundle, "--judge", "nobody") == 2
    assert "--judge" in capsys.readouterr().err
