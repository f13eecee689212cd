from pathlib import Path

import pytest
from typer.testing import CliRunner

from aml.runtime.key_encryption import read_key_file
from aml.runtime.settings import SettingsError
from aml.toolkit.cli.boundary import ExitCode
from aml.toolkit.cli.evidence import app
from aml.toolkit.cli.explain_error import explain
from aml.toolkit.evidence.errors import JobNotOver, LogTooShort, NothingToRetire
from aml.toolkit.evidence.place import HomeWithoutEvidence


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "kek").write_text("11" * 32)
    monkeypatch.setenv("AML_EVIDENCE_URL", (tmp_path / "store").as_uri())
    monkeypatch.setenv("AML_EVIDENCE_KEK_FILE", str(tmp_path / "kek"))
    return tmp_path


def test_a_key_is_rotated_without_anything_running(named: Path) -> None:
    assert "version 2 is in use" in run("rotate-key")
    assert "retired: version 1" in run("rotate-key", "--finish")
    assert sorted(read_key_file(named / "kek")) == [2]
    with pytest.raises(NothingToRetire):
        run("rotate-key", "--finish")


def test_a_local_home_needs_no_variables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AML_EVIDENCE_URL", raising=False)
    with pytest.raises(HomeWithoutEvidence, match="AML_EVIDENCE_URL"):
        run("rotate-key", "--home", str(tmp_path))
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets" / "evidence.kek").write_text("11" * 32)
    assert "version 2 is in use" in run("rotate-key", "--home", str(tmp_path))


def test_a_store_without_its_key_is_bad_usage(named: Path) -> None:
    (named / "kek").unlink()
    with pytest.raises(SettingsError) as failed:
        run("rotate-key")
    assert explain(failed.value).code == ExitCode.BAD_USAGE


def test_each_error_is_one_line_and_says_whose_it_is() -> None:
    assert explain(JobNotOver("job-1")).code == ExitCode.BAD_USAGE
    said = explain(LogTooShort(3, 1))
    line, code = said.line, said.code
    assert ("3 of the 4 jobs" in line, "\n" in line, code) == (True, False, ExitCode.TOOL_FAILED)
