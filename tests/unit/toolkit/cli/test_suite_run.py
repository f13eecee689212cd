"""`aml suite run` as a user or a build types it; the suites are over at once."""

import sys
from pathlib import Path
from typing import Any

import pytest
from tests.factories.suite_results import a_provenance, a_question, a_result
from typer.main import get_command

from aml.toolkit.agents import AgentCannot
from aml.toolkit.agents.openai_chat import OpenAIChatAgent
from aml.toolkit.baselines import BaselineStore
from aml.toolkit.cli.boundary import run_command
from aml.toolkit.cli.whole_app import app
from aml.toolkit.results import SuiteResult
from aml.toolkit.suite_run.suite import Suite

AGENTS = "def diary(message):\n    return message\n\nclass Box:\n    inner = diary\n"


class Runs:
    """What was run of whom, with which options; each run gives `score`."""

    def __init__(self) -> None:
        self.score: float | None = 100.0
        self.error: Exception | None = None
        self.suites: list[str] = []
        self.agents: list[Any] = []
        self.options: dict[str, Any] = {}

    def run_sync(self, suite: Suite, agent: Any, **options: Any) -> SuiteResult:
        if self.error is not None:
            raise self.error
        self.suites.append(suite.value)
        self.agents.append(agent)
        self.options = options
        return a_result([a_question("basic_retention", self.score)], provenance=a_provenance(suite=suite.value))


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Runs:
    """In a folder with a module `typed_agents`."""
    runs = Runs()
    monkeypatch.setattr(Suite, "run_sync", lambda self, agent, **options: runs.run_sync(self, agent, **options))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "typed_agents", raising=False)
    (tmp_path / "typed_agents.py").write_text(AGENTS)
    return runs


def aml(*arguments: object) -> int:
    command = get_command(app)
    return run_command(
        lambda given: command(given, prog_name="aml", standalone_mode=False),
        ["suite", "run", *(str(each) for each in arguments)],
    )


def test_it_runs_an_object_of_a_module_beside(runs: Runs, capsys: pytest.CaptureFixture[str]) -> None:
    assert aml("Quick", "--agent", "typed_agents:Box.inner", "--repeat", 3, "--limit", 2, "--language", "zh") == 0
    assert runs.suites == ["quick"]
    assert runs.agents[0].__name__ == "diary"
    chosen = {"repeats": 3, "limit": 2, "language": "zh", "mode": "inject", "home": Path(".aml"), "keep_stack": False}
    assert {name: runs.options[name] for name in chosen} == chosen
    shown = capsys.readouterr().out
    assert "an agent, quick (en): 100.0 A+" in shown
    assert shown.splitlines()[-1] == "Overall 100.00, every one of 1 questions scored"


def test_it_runs_a_model_at_an_address(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHAT_KEY", "k-123")
    assert aml("quick", "--agent", "http://127.0.0.1:9/v1", "--model", "small", "--key-env", "CHAT_KEY") == 0
    assert isinstance(runs.agents[0], OpenAIChatAgent)
    assert runs.agents[0].model == "small"


def test_it_runs_on_a_platform_at_an_address(runs: Runs, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("AML_OPERATOR_KEY", "op-1")
    arguments = ("--agent", "typed_agents:diary", "--stack", "http://127.0.0.1:9", "--datasets", tmp_path)
    assert aml("quick", *arguments) == 0
    place = {"stack": "http://127.0.0.1:9", "operator_key": "op-1", "datasets": tmp_path}
    assert {name: runs.options[name] for name in place} == place
    assert "home" not in runs.options


@pytest.mark.parametrize(
    ("score", "arguments", "code"),
    [
        (100.0, ["--fail-under", "70"], 0),
        (60.0, ["--fail-under", "70"], 3),
        (None, ["--fail-under", "70"], 4),
        (None, [], 4),
        (60.0, ["--baseline", "kept", "--max-drop", "5"], 4),
    ],
)
def test_exit_codes(runs: Runs, score: float | None, arguments: list[str], code: int) -> None:
    runs.score = score
    assert aml("quick", "--agent", "typed_agents:diary", *arguments) == code


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["fast", "--agent", "typed_agents:diary"], "there is no suite 'fast'"),
        (["quick", "--agent", "typed_agents"], "--agent: 'typed_agents' is neither MODULE:NAME nor"),
        (["quick", "--agent", "no_such_module:x"], "--agent: no_such_module cannot be imported (ModuleNotFoundError"),
        (["quick", "--agent", "typed_agents:journal"], "--agent: typed_agents has no 'journal'"),
        (["quick", "--agent", "http://127.0.0.1:9"], "--agent: http://127.0.0.1:9 needs --model"),
        (["quick", "--agent", "typed_agents:diary", "--model", "m"], "--model: goes with an http"),
        (["quick", "--agent", "http://h/v1", "--model", "m", "--key-env", "UNSET_KEY"], "--key-env: the environment"),
        (["quick", "--agent", "typed_agents:diary", "--max-drop", "1"], "--max-drop: needs --baseline"),
        (["quick", "--agent", "typed_agents:diary", "--update-baseline"], "--update-baseline: needs --baseline"),
        (["quick", "--agent", "typed_agents:diary", "--report", "no/report.html"], "--report: the folder"),
        (["quick", "--agent", "typed_agents:diary", "--baseline", "typed_agents.py"], "cannot be read"),
    ],
)
def test_bad_usage_is_found_before_anything_runs(
    runs: Runs, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert aml(*arguments) == 2
    assert runs.suites == []
    error = capsys.readouterr().err
    assert said in error
    assert len(error.splitlines()) == 1


def test_a_module_that_breaks_is_bad_usage(runs: Runs, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "broken_agents.py").write_text("raise RuntimeError('no key')\n")
    assert aml("quick", "--agent", "broken_agents:x") == 2
    assert "broken_agents cannot be imported (RuntimeError: no key)" in capsys.readouterr().err


def test_what_an_agent_cannot_do_is_bad_usage(runs: Runs, capsys: pytest.CaptureFixture[str]) -> None:
    runs.error = AgentCannot("diary", "take timestamps", "choose dates='text'")
    assert aml("quick", "--agent", "typed_agents:diary", "--dates", "instants") == 2
    assert "diary cannot take timestamps" in capsys.readouterr().err


def test_every_output_is_written(runs: Runs, tmp_path: Path) -> None:
    outputs = ("--json", "r.json", "--junit", "r.xml", "--markdown", "r.md", "--report", "r.html")
    assert aml("quick", "--agent", "typed_agents:diary", *outputs, "--fail-under", 99) == 0
    assert SuiteResult.read(tmp_path / "r.json").overall == 100.0
    assert (tmp_path / "r.xml").read_bytes().startswith(b"<?xml")
    assert (tmp_path / "r.md").read_text().startswith("## Agent memory")
    assert b"<html" in (tmp_path / "r.html").read_bytes()


def test_a_baseline_is_kept_after_it_was_compared(
    runs: Runs, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ("quick", "--agent", "typed_agents:diary", "--baseline", "kept", "--update-baseline")
    assert aml(*asked) == 0
    runs.score = 90.0
    assert aml(*asked, "--max-drop", 5) == 3
    assert "since the baseline an agent quick en: -10.0 points" in capsys.readouterr().out
    assert BaselineStore(tmp_path / "kept").load("an agent quick en").overall == 90.0
    runs.score = None
    assert aml(*asked) == 4
    assert BaselineStore(tmp_path / "kept").load("an agent quick en").overall == 90.0
