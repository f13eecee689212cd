"""`aml suite` as a user types it."""

import json
from pathlib import Path

import pytest
from tests.factories.scenario_files import a_scenario_file
from typer.main import get_command

from aml.toolkit.cli.boundary import run_command
from aml.toolkit.cli.whole_app import app


def aml(*arguments: object) -> int:
    command = get_command(app)
    return run_command(
        lambda given: command(given, prog_name="aml", standalone_mode=False), [str(each) for each in arguments]
    )


def test_show_lists_the_five(capsys: pytest.CaptureFixture[str]) -> None:
    assert aml("suite", "show") == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in ("quick", "standard", "full", "diagnostic", "overflow", "192,000"))


def test_show_one_by_category(capsys: pytest.CaptureFixture[str]) -> None:
    assert aml("suite", "show", "Quick") == 0
    shown = capsys.readouterr().out
    assert "temporal_reasoning" in shown
    assert "0.30" in shown
    assert "3 hard" in shown


def test_show_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert aml("suite", "show", "standard", "--json", "--language", "zh") == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["suite"], shown["language"], len(shown["categories"])) == ("standard", "zh", 8)
    assert aml("suite", "show", "--json") == 0
    assert len(json.loads(capsys.readouterr().out)) == 5


def test_an_unknown_suite_is_bad_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert aml("suite", "show", "huge") == 2
    assert "there is no suite 'huge'; give one of quick" in capsys.readouterr().err


def test_ours_are_valid(capsys: pytest.CaptureFixture[str]) -> None:
    assert aml("suite", "validate") == 0
    assert capsys.readouterr().out.endswith(" scenarios in 24 files, all well\n")
    assert aml("suite", "validate", "quick") == 0
    assert capsys.readouterr().out.endswith(" scenarios in 6 files, all well\n")


def test_every_problem_of_a_folder_is_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.toml").write_text("category = 1", "utf-8")
    (tmp_path / "b.toml").write_text(a_scenario_file(evidence="that"), "utf-8")
    (tmp_path / "c.toml").write_text(a_scenario_file(), "utf-8")
    assert aml("suite", "validate", tmp_path) == 3
    shown = capsys.readouterr()
    lines = shown.out.splitlines()
    assert len(lines) == 2
    assert "a.toml, category: Expected" in lines[0]
    assert lines[1].endswith("b.toml, mine, questions[0].evidence: no turn has the label 'that'")
    assert "2 problems in 3 files" in shown.err


def test_a_good_folder_and_a_good_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "c.toml").write_text(a_scenario_file(), "utf-8")
    assert aml("suite", "validate", tmp_path) == 0
    assert aml("suite", "validate", tmp_path / "c.toml") == 0
    assert capsys.readouterr().out == 2 * "1 scenario in 1 file, all well\n"


def test_a_folder_that_is_not_there_or_empty_is_bad_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert aml("suite", "validate", tmp_path / "none") == 2
    assert aml("suite", "validate", tmp_path) == 2
    assert "holds no .toml files" in capsys.readouterr().err


def test_write_prints_the_hash_and_writes_the_manifest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, manifest = tmp_path / "quick.jsonl", tmp_path / "quick.json"
    assert aml("suite", "write", "quick", "--out", out, "--limit", 1, "--manifest", manifest) == 0
    told = json.loads(manifest.read_text("utf-8"))
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == f"{told['sha256']}  {out}"
    assert shown[1].startswith("3 samples, ")
    assert out.stat().st_size == told["size"]


def test_write_from_a_user_s_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "c.toml").write_text(a_scenario_file(), "utf-8")
    assert aml("suite", "write", "quick", "--out", tmp_path / "out", "--scenarios", tmp_path) == 0
    assert "1 samples, 1 sessions, 2 turns, 1 questions" in capsys.readouterr().out
    (tmp_path / "c.toml").write_text(a_scenario_file(answer="At dawn."), "utf-8")
    assert aml("suite", "write", "quick", "--out", tmp_path / "out", "--scenarios", tmp_path) == 2
    assert "c.toml, mine, questions[0].facts[0]: the reference answer does not say '4:13'" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [("--limit", 0), ("--language", "fr"), ("--seed", "x")])
def test_write_refuses_what_cannot_be(tmp_path: Path, arguments: tuple[object, ...]) -> None:
    assert aml("suite", "write", "quick", "--out", tmp_path / "out", *arguments) == 2
    assert not (tmp_path / "out").exists()


def test_write_to_a_folder_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert aml("suite", "write", "quick", "--out", tmp_path / "none" / "out") == 2
    assert "--out" in capsys.readouterr().err
