"""`aml longmemeval sample` as a user types it."""

import json
from pathlib import Path

import pytest
from tests.factories.longmemeval import a_dataset
from typer.main import get_command

from aml.toolkit.cli.boundary import ExitCode, run_command
from aml.toolkit.cli.whole_app import app
from aml.toolkit.longmemeval import LongMemEval


def aml(*arguments: object) -> int:
    command = get_command(app)
    return run_command(
        lambda given: command(given, prog_name="aml", standalone_mode=False), [str(each) for each in arguments]
    )


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    return a_dataset(tmp_path / "d.json")


def test_a_sample_is_shown_and_written(dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "sample.json"
    assert aml("longmemeval", "sample", "--dataset", dataset, "--max-questions", 12, "--json", out) == 0
    assert "12 of 30 questions" in capsys.readouterr().out
    written = json.loads(out.read_text())
    assert written["ids"] == list(LongMemEval(dataset, max_questions=12).sample().ids)
    assert written["composition"]["questions"] == 12


def test_a_short_sample_is_incomplete(dataset: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = aml("longmemeval", "sample", "--dataset", dataset, "--max-questions", 9, "--abstention-policy", "only")
    assert code == ExitCode.INCOMPLETE
    assert "3 fewer than the 9 asked for" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--abstention-policy", "target_proportion"], "abstention_target_proportion: is missing"),
        (["--question-type", "abstention"], "include_question_types"),
    ],
)
def test_bad_usage_is_one_line_and_code_2(
    dataset: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert aml("longmemeval", "sample", "--dataset", dataset, *arguments) == ExitCode.BAD_USAGE
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_a_missing_dataset_is_bad_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert aml("longmemeval", "sample", "--dataset", tmp_path / "none.json") == ExitCode.BAD_USAGE
    assert "No such file" in capsys.readouterr().err
