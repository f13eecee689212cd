"""`aml run` and `aml demo` as a user types them wrongly: one line, code 2, and nothing started."""

from pathlib import Path

import pytest
import typer

from aml.ingest.benchmarks import write_practice_bundle
from aml.toolkit.cli.boundary import run_command
from aml.toolkit.cli.whole_app import app


def aml(*arguments: str) -> int:
    command = typer.main.get_command(app)
    return run_command(lambda given: command(given, prog_name="aml", standalone_mode=False), arguments)


RUN = ("run", "--system", "http://127.0.0.1:9", "--dataset", "practice")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("run",), "--system: is missing"),
        (("run", "--system", "http://127.0.0.1:9"), "--dataset: is missing"),
        (("run", "--system", "example:none", "--dataset", "practice"), "known are example:fts5"),
        (("run", "--system", "127.0.0.1:9", "--dataset", "practice"), "write it as http://HOST:PORT"),
        (("run", "--system", "http://127.0.0.1:9", "--dataset", "nope=x"), "there is no dataset 'nope'"),
        (("run", "--system", "http://127.0.0.1:9", "--dataset", "locomo=/no/file"), "/no/file does not exist"),
        ((*RUN, "--auth", "bearer:pasted-key-42"), "NAME of an environment variable"),
        ((*RUN, "--auth", "bearer:AML_TEST_UNSET_KEY"), "AML_TEST_UNSET_KEY is not set"),
        ((*RUN, "--limit", "0"), "'--limit'"),
        ((*RUN, "--limit", "many"), "'--limit'"),
        ((*RUN, "--fail-under", "101"), "'--fail-under'"),
        ((*RUN, "--add-concurrency", "0"), "'--add-concurrency'"),
        ((*RUN, "--json", "/no/folder/out.json"), "/no/folder does not exist"),
        ((*RUN, "--resume", "job-1"), "--system: does not go with --resume"),
        (("run", "--resume", "job-1"), "--resume: no run 'job-1' is stored"),
        (("demo", "--json", "/no/folder/out.json"), "/no/folder does not exist"),
        (("demo", "--board", "/usr"), "/usr holds something else than a board"),
    ],
)
def test_wrong_usage_is_one_line_and_code_2(
    arguments: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert aml(*arguments, "--home", str(tmp_path / "home")) == 2

    printed = capsys.readouterr()
    assert said in printed.err
    assert len(printed.err.splitlines()) == 1
    assert "pasted-key-42" not in printed.err + printed.out
    assert not (tmp_path / "home").exists(), "nothing was started"


def test_a_dead_system_is_found_before_the_stack_starts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert aml(*RUN, "--home", str(tmp_path)) == 1

    assert "GET http://127.0.0.1:9/health failed" in capsys.readouterr().err
    assert not (tmp_path / "run" / "state.json").exists()


def test_a_broken_record_is_named_before_the_stack_starts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.json"
    write_practice_bundle(file, smoke=True)
    file.write_bytes(file.read_bytes()[:-100])

    assert aml(*RUN[:3], "--dataset", f"practice={file}", "--home", str(tmp_path / "home")) == 2

    said = capsys.readouterr().err
    assert said.startswith(f"aml: --dataset: {file}")
    assert len(said.splitlines()) == 1
    assert not (tmp_path / "home" / "run" / "state.json").exists()
