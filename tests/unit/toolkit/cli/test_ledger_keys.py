from pathlib import Path

import pytest
from typer.testing import CliRunner

from aml.rules.checkpoint import parse_verifier_key
from aml.toolkit.cli.boundary import CommandFailed, ExitCode
from aml.toolkit.cli.ledger_keys import app

ORIGIN = "log.example.org/aml"


def run(*arguments: str, key: Path, origin: str = ORIGIN) -> str:
    result = CliRunner().invoke(app, [*arguments, "--key", str(key), "--origin", origin], catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def failure(*arguments: str, key: Path, origin: str = ORIGIN) -> CommandFailed:
    with pytest.raises(CommandFailed) as failed:
        run(*arguments, key=key, origin=origin)
    return failed.value


def test_a_key_is_made_rotated_and_shown(tmp_path: Path) -> None:
    key = tmp_path / "secrets/log.key"

    first = run("keygen", key=key).strip()
    second = run("rotate", key=key).strip()

    assert parse_verifier_key(first).name == ORIGIN
    assert run("verifier", key=key).strip() == second != first
    assert run("verifier", "--all", key=key).splitlines() == [second, first]
    assert run("rotate", "--finish", key=key).strip() == second
    assert run("verifier", "--all", key=key).splitlines() == [second, first]


def test_mistakes_are_one_line_and_bad_usage(tmp_path: Path) -> None:
    key = tmp_path / "log.key"
    assert "cannot be read" in str(failure("rotate", key=key))
    run("keygen", key=key)

    assert "aml ledger rotate" in str(failure("keygen", key=key))
    assert "is the key of the log" in str(failure("verifier", key=key, origin="other.example.org"))
    assert "in no rotation" in str(failure("rotate", "--finish", key=key))
    assert failure("keygen", key=key).code == ExitCode.BAD_USAGE
