"""`aml audit` as a user types it, where no log answers: export, key and replay."""

from pathlib import Path

import pytest
from tests.factories.audited_logs import AuditedLog
from typer.main import get_command

from aml.rules.checkpoint import VerifierKey
from aml.toolkit.cli.boundary import run_command
from aml.toolkit.cli.whole_app import app


def aml(*arguments: object) -> int:
    command = get_command(app)
    return run_command(
        lambda given: command(given, prog_name="aml", standalone_mode=False), [str(each) for each in arguments]
    )


def test_replay_reads_the_bundles_only_job(job_bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert aml("audit", "replay", job_bundle, "--until", 3) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert "requested" in lines[0]


@pytest.mark.parametrize("scope", [[], ["--board", "--cycle"], ["--job", "job-1", "--cycle"]])
def test_export_wants_one_scope(tmp_path: Path, scope: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert aml("audit", "export", *scope, "--home", tmp_path / "none") == 2
    assert "exactly one" in capsys.readouterr().err


def test_export_of_a_home_without_a_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert aml("audit", "export", "--cycle", "--home", tmp_path / "none", "--out", tmp_path / "out.zip") == 1
    assert "holds no log yet" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_stack_that_once_ran_shows_its_key(
    tmp_path: Path, published_log: AuditedLog, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "secrets").mkdir()
    rotated_away = VerifierKey(name=published_log.origin, public_key=bytes(range(32)))
    (tmp_path / "secrets" / "ledger.key.keys").write_text(f"{published_log.key}\n{rotated_away}\n")
    assert aml("audit", "key", "--home", tmp_path) == 0
    assert capsys.readouterr().out == f"{published_log.key}\n{rotated_away}\n"
