"""The example project's own tests, run as its build runs them, on a stack that the plugin starts and stops."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from tests.architecture.source_tree import ROOT
from tests.e2e.running_stack import RunningStack
from tests.factories.plugin_sessions import PLUGIN

from aml.toolkit.baselines import BaselineStore
from aml.toolkit.results import SuiteResult

pytestmark = pytest.mark.stack


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return shutil.copytree(ROOT / "examples" / "ci_project", tmp_path / "project")


def run(project: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Without the other plugins that are installed here."""
    environ = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "GITHUB_STEP_SUMMARY": str(project / "summary.md")}
    return subprocess.run(command, cwd=project, env=environ, capture_output=True, text=True, check=False, timeout=150)


def run_tests(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    plugins = ("-p", PLUGIN, "-p", "xdist")
    return run(project, sys.executable, "-m", "pytest", *plugins, "--basetemp", str(project / "temp"), *arguments)


def test_its_tests_pass_with_two_workers_on_one_stack_that_ends_with_them(project: Path) -> None:
    done = run_tests(project, "-n", "2", "--aml-report", "memory.html", "--junitxml", "memory.xml")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 passed" in done.stdout
    assert done.stdout.count("diary, quick (en)") == 1
    assert (project / "summary.md").read_text().startswith("## Agent memory")
    assert (project / "memory.html").stat().st_size > 10_000
    assert 'name="aml.overall"' in (project / "memory.xml").read_text()
    assert not (project / "temp" / "aml" / "home").exists()
    left = [process.cmdline() for process in psutil.process_iter(["cmdline"]) if str(project) in str(process.info)]
    assert left == []


def test_a_stack_that_runs_is_used_and_left_running(project: Path, stack: RunningStack) -> None:
    home = ("--aml-home", str(stack.info.home))
    assert run_tests(project, *home, "--aml-baseline", "kept", "--aml-update-baseline").returncode == 0
    assert [each.label for each in BaselineStore(project / "kept").load_all()] == ["diary quick en"]
    done = run_tests(project, *home, "--aml-baseline", "kept", "--aml-max-drop", "0", "--aml-fail-under", "99")
    assert done.returncode == 3, done.stdout + done.stderr
    assert "since the baseline diary quick en: +0.0 points" in done.stdout
    assert stack.stack.info() is not None


def test_its_nightly_command_writes_what_its_workflow_keeps(project: Path, stack: RunningStack) -> None:
    aml = (sys.executable, "-c", "from aml.toolkit.cli.app import main; main()")
    outputs = ("--json", "memory.json", "--report", "memory.html", "--junit", "memory.xml", "--markdown", "summary.md")
    asked = ("suite", "run", "quick", "--agent", "nightly:agent", "--limit", "2", "--repeat", "2")
    done = run(project, *aml, *asked, *outputs, "--home", str(stack.info.home))
    assert done.returncode == 0, done.stdout + done.stderr
    result = SuiteResult.read(project / "memory.json")
    assert (result.agent, result.complete, len(result.provenance.job_ids)) == ("diary", True, 2)
    assert result.spread is not None
    assert result.spread.points == 0
    assert all((project / name).stat().st_size for name in ("memory.html", "memory.xml", "summary.md"))
