"""`aml longmemeval run` as a user types it; what needs a stack is tested where one runs."""

from pathlib import Path

import pytest
from tests.factories.longmemeval import a_dataset
from tests.factories.longmemeval_results import a_question, a_result
from typer.main import get_command

from aml.toolkit.cli import longmemeval_run
from aml.toolkit.cli.boundary import ExitCode, run_command
from aml.toolkit.cli.explain_error import explain
from aml.toolkit.cli.whole_app import app
from aml.toolkit.longmemeval import JudgeUndecided, LongMemEvalOptions
from aml.toolkit.longmemeval.result import LongMemEvalResult


def aml(*arguments: object) -> int:
    command = get_command(app)
    return run_command(
        lambda given: command(given, prog_name="aml", standalone_mode=False), [str(each) for each in arguments]
    )


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    return a_dataset(tmp_path / "d.json")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--agent", "nowhere"], "--agent"),
        (["--agent", "a:b", "--temporal-grounding", "timestamps_only", "--history", "text_blob"], "temporal_"),
        (["--agent", "a:b", "--arm", "both"], "--arm"),
        (["--agent", "a:b", "--distractor-sessions", "3"], "choose oracle or paired"),
        (["--agent", "a:b", "--arm", "oracle", "--gold-session-fraction", "0"], "gold_session_fraction"),
        (["--agent", "a:b", "--judge-decomposition", "some"], "judge_decomposition"),
    ],
)
def test_bad_usage_is_one_line_and_code_2(
    dataset: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert aml("longmemeval", "run", "--dataset", dataset, *arguments) == ExitCode.BAD_USAGE
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_a_run_that_failed_on_its_judge_is_incomplete() -> None:
    said = explain(JudgeUndecided(["q1", "q2"], "no verdict in 3 replies", "job-1"))
    line, code = said.line, said.code
    assert code == ExitCode.INCOMPLETE
    assert "q1 and 1 more" in line


class Ran:
    """Stands in for the benchmark: remembers how it was asked, and has a result."""

    result = a_result([a_question(1), a_question(2, "incorrect")])
    options: LongMemEvalOptions

    def __init__(self, dataset: Path, options: LongMemEvalOptions) -> None:
        Ran.options = options

    def run_sync(self, agent: object, **where: object) -> LongMemEvalResult:
        return Ran.result


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ([], ExitCode.PASS, "every one of 2 questions"),
        (["--fail-under", "50"], ExitCode.PASS, "every one"),
        (["--fail-under", "50.1"], ExitCode.BELOW_THRESHOLD, "50.00 % is below 50.1"),
    ],
)
def test_the_exit_code_follows_from_the_result(
    dataset: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    code: ExitCode,
    said: str,
) -> None:
    monkeypatch.setattr(longmemeval_run, "LongMemEval", Ran)
    out = tmp_path / "result.json"
    given = ["--dataset", dataset, "--agent", "json:dumps", "--max-judge-retries", 2, "--json", out, *arguments]
    assert aml("longmemeval", "run", *given) == code
    assert said in capsys.readouterr().out
    assert LongMemEvalResult.read(out) == Ran.result
    assert Ran.options == LongMemEvalOptions(max_judge_retries=2)


def test_an_incomplete_result_wins_over_a_threshold(
    dataset: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(longmemeval_run, "LongMemEval", Ran)
    monkeypatch.setattr(Ran, "result", a_result([a_question(1), a_question(2, "inconclusive")]))
    given = ["--dataset", dataset, "--agent", "json:dumps", "--fail-under", "10"]
    assert aml("longmemeval", "run", *given) == ExitCode.INCOMPLETE
    assert "1 of 2 questions of the agent arm have no verdict" in capsys.readouterr().out
