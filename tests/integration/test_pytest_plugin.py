"""The plugin in processes of its own: workers, a project with packages named like our folders, and what loading it imports."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.factories.plugin_sessions import CONFTEST, ONE_TEST, PLUGIN, scoring

pytest_plugins = ("pytester",)

FOR_WORKERS = """
from pathlib import Path
from aml.toolkit.results import SuiteResult
from aml.toolkit.suite_run.suite import Suite

def run_sync(self, agent, **options):
    with Path(__file__).with_name("runs").open("a") as file:
        file.write(self.value + "\\n")
    return SuiteResult.read(Path(__file__).with_name("result.json"))

Suite.run_sync = run_sync
"""


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the other plugins that are installed here, which take seconds to load."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return pytester.runpytest_subprocess("-p", PLUGIN, *arguments)


def test_a_wrong_option_ends_it_with_2_before_any_test(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(ONE_TEST)
    done = run(pytester, "--aml-suite", "quickest")
    assert done.ret == 2
    done.stderr.fnmatch_lines(["Exit: --aml-suite: there is no suite 'quickest'*"])


def test_workers_share_one_run_and_the_controller_sums_it_up(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(FOR_WORKERS + CONFTEST)
    (pytester.path / "result.json").write_bytes(scoring(80.0).to_json())
    pytester.makepyfile(test_a=ONE_TEST, test_b=ONE_TEST, test_c=ONE_TEST, test_d=ONE_TEST)
    done = run(pytester, "-p", "xdist", "-n", "2", "--dist", "each", "--aml-fail-under", "90")
    assert done.ret == 3
    assert (pytester.path / "runs").read_text() == "quick\n"
    done.assert_outcomes(passed=8)
    done.stdout.fnmatch_lines(["an agent, quick (en): 80.0*", "quick: BELOW THRESHOLD: Overall 80.00 is below 90"])


def test_a_project_may_have_services_and_contracts_of_its_own(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\npythonpath = .\n")
    pytester.makeconftest(FOR_WORKERS + CONFTEST)
    (pytester.path / "result.json").write_bytes(scoring().to_json())
    for name in ("services", "contracts", "runtime", "toolkit", "examples"):
        pytester.mkpydir(name)
        (pytester.path / name / "own.py").write_text("HERE = __file__\n")
    imports = (
        "from services.own import HERE\nfrom contracts import own\nimport runtime.own, toolkit.own, examples.own\n"
    )
    pytester.makepyfile(imports + ONE_TEST + "    assert HERE.endswith('services/own.py')\n")
    assert run(pytester).ret == 0


def test_a_session_that_uses_nothing_of_it_imports_nothing_of_it(tmp_path: Path) -> None:
    (tmp_path / "test_other.py").write_text("def test_other():\n    pass\n")
    listed = (
        "import sys, pytest; code = pytest.main(sys.argv[1:]); print(*(m for m in sys.modules if m.startswith('aml')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"{listed}; sys.exit(code)", "-q", "-p", PLUGIN, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env=os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].split() == ["aml", "aml.toolkit", "aml.toolkit.pytest_plugin", PLUGIN]
