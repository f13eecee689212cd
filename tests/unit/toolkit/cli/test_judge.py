"""`aml judge calibrate` as a user types it."""

import json
import shutil
from pathlib import Path

import pytest
from typer.main import get_command

from aml.runtime.release_folder import bundled_releases
from aml.toolkit.cli.boundary import run_command
from aml.toolkit.cli.whole_app import app


def aml(*arguments: object) -> int:
    command = get_command(app)
    return run_command(
        lambda given: command(given, prog_name="aml", standalone_mode=False), [str(each) for each in arguments]
    )


def a_changed_release(folder: Path, before: str, after: str) -> Path:
    release = folder / "practice"
    shutil.copytree(bundled_releases()["practice"], release)
    manifest = release / "release.toml"
    text = manifest.read_text("utf-8")
    assert before in text
    manifest.write_text(text.replace(before, after), "utf-8")
    return release


def test_the_table_says_what_the_judge_reaches(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert aml("judge", "calibrate", "--release", "practice", "--json", tmp_path / "fact.json") == 0
    shown = capsys.readouterr().out
    assert "agreement 0.769, Cohen's kappa 0.530, 0 without a readable verdict" in shown
    assert "the release asks for 0.720 over at least 60 answers: reached" in shown
    assert "paraphrase" in shown
    fact = json.loads((tmp_path / "fact.json").read_text("utf-8"))
    assert (fact["type"], fact["labelled"], fact["agreed"]) == ("judge_calibrated.v1", 108, 83)


def test_each_disagreement_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert aml("judge", "calibrate", "--release", "practice", "--all") == 0
    shown = capsys.readouterr().out
    assert "role-en-1: Who lent money to whom?" in shown
    assert "label incorrect, judge correct: agrees with the reference" in shown


def test_a_judge_below_its_release_s_threshold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    release = a_changed_release(tmp_path, "threshold = 720000", "threshold = 950000")
    assert aml("judge", "calibrate", "--release", release) == 3
    assert "the release asks for 0.950 over at least 60 answers: not reached" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('answers = "answers-1"', 'answers = "answers-9"', "calibration set 'answers-9' is not one of answers-1"),
        ('sha256 = "236d', 'sha256 = "0000', "and the release pins 0000"),
    ],
)
def test_a_set_that_is_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], before: str, after: str, said: str
) -> None:
    assert aml("judge", "calibrate", "--release", a_changed_release(tmp_path, before, after)) == 2
    assert said in capsys.readouterr().err


def test_a_model_judge_without_an_endpoint(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AML_OPENAI_BASE_URL", raising=False)
    assert aml("judge", "calibrate", "--release", "openai") == 2
    assert "set AML_OPENAI_BASE_URL" in capsys.readouterr().err
