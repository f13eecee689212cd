"""`aml report` as a user types it."""

from pathlib import Path

import pytest
from tests.factories.suite_results import a_question, a_result
from typer.main import get_command

from aml.toolkit.baselines import BaselineStore
from aml.toolkit.cli.boundary import run_command
from aml.toolkit.cli.whole_app import app
from aml.toolkit.report import render_report

RESULT = a_result([a_question()])


def aml(*arguments: object) -> int:
    command = get_command(app)
    return run_command(
        lambda given: command(given, prog_name="aml", standalone_mode=False), [str(each) for each in arguments]
    )


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "run.json"
    path.write_bytes(RESULT.to_json())
    return path


def test_runs_and_baselines_become_one_file(saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = BaselineStore(tmp_path / "kept")
    store.save(RESULT, "last week")
    out = tmp_path / "report.html"

    assert aml("report", saved, saved, "--out", out, "--baseline", store.folder, "--language", "zh") == 0

    assert out.read_bytes() == render_report([RESULT, RESULT], store.load_all(), language="zh")
    assert f"{out}: 2 runs, 1 baseline, {out.stat().st_size:,} bytes" in capsys.readouterr().out.replace("\n", "")


def test_a_baseline_file_is_overlaid_as_it_is(saved: Path, tmp_path: Path) -> None:
    path = BaselineStore(tmp_path / "kept").save(RESULT, "last week")
    assert aml("report", saved, "--out", tmp_path / "report.html", "--baseline", path) == 0
    assert b"last week" in (tmp_path / "report.html").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("{saved}", "--out", "{tmp}/no/report.html"), "--out: the folder"),
        (("{tmp}/none.json",), "RUN: {tmp}/none.json is no saved result: No such file"),
        (("{tmp}",), "RUN: {tmp} is no saved result: Is a directory"),
        (("{saved}", "--baseline", "{tmp}/none"), "--baseline: {tmp}/none does not exist"),
        (("{saved}", "--baseline", "{broken}"), "the baseline {broken} cannot be read"),
        (("{saved}", "--language", "fr"), "'fr' is not one of 'en', 'zh'"),
        ((), "Missing argument"),
    ],
)
def test_bad_usage_is_one_line_and_writes_nothing(
    saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{}")
    places = {"saved": saved, "tmp": tmp_path, "broken": broken}
    out = () if "--out" in arguments else ("--out", tmp_path / "report.html")

    assert aml("report", *(each.format(**places) for each in arguments), *out) == 2

    line = capsys.readouterr().err
    assert said.format(**places) in line
    assert line.count("\n") == 1
    assert not list(tmp_path.glob("*.html"))
