"""Options, markers and fixtures. This is the module that pytest loads wherever AML is installed, so it imports nothing of AML.

What does the work is `evaluations`, brought in by the first fixture or option that needs it: that is why it is imported in a
function. The environment is read here, where pytest starts.

PYTEST_DONT_REWRITE: it asserts nothing, and may be imported by others before pytest loads it.
"""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from aml.toolkit.results import SuiteResult

    from .evaluations import Evaluations

NAME: Final = "aml-evaluations"

OPTIONS: Final = (
    ("--aml-suite", "NAME", "the suite of aml_suite_result where a marker names none: quick, standard, full, …"),
    ("--aml-repeat", "N", "run each suite N times and show the spread"),
    ("--aml-baseline", "FILE|DIR", "hold results against what is kept there"),
    ("--aml-max-drop", "POINTS", "exit with 3 if Overall fell by more than that since the baseline"),
    ("--aml-fail-under", "X", "exit with 3 if a suite's Overall is below X (0 to 100)"),
    ("--aml-report", "FILE.html", "write one HTML page for all results"),
    ("--aml-home", "DIR", "home of the local stack; without it a temporary one, removed at the end"),
)
MARKER: Final = (
    "memory_suite(name=None, *, language='en', seed=…, limit=…, repeats=1, mode='inject', **options): the suite that"
    " aml_suite_result runs for this test; options as of aml.toolkit.Suite.run"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("aml", "agent memory (aml)")
    for name, metavar, told in OPTIONS:
        group.addoption(name, metavar=metavar, default=None, help=told)
    group.addoption("--aml-update-baseline", action="store_true", help="keep complete results as baselines")
    parser.addini("aml_agent", "MODULE:NAME of the agent, where no fixture memory_agent is defined")
    parser.addini("aml_home", "home of the local stack, relative to the rootdir; as --aml-home")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", MARKER)
    asked = [name for name, _, _ in OPTIONS if config.getoption(name) is not None]
    if asked or config.getoption("--aml-update-baseline"):
        evaluations_of(config)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """A worker of pytest-xdist says where its results lie."""
    folder = (getattr(node, "workeroutput", None) or {}).get("aml_folder")
    if folder is not None:
        evaluations_of(node.config).gather_from(folder)


@pytest.fixture(scope="session")
def aml_stack(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A local stack, to be given to `Suite.run` and `can_remember` as `stack=`.

    It is started for the first test that wants it, shared by all workers of pytest-xdist, and stopped by the last.
    """
    with evaluations_of(request.config).stack(tmp_path_factory) as stack:
        yield stack


@pytest.fixture(scope="session")
def memory_agent(request: pytest.FixtureRequest) -> Any:
    """The agent under test: override it in conftest.py with a fixture of any scope, or name it in the ini option aml_agent."""
    return evaluations_of(request.config).named_agent()


@pytest.fixture
def aml_suite_result(
    request: pytest.FixtureRequest,
    memory_agent: Any,
    tmp_path_factory: pytest.TempPathFactory,
) -> "SuiteResult":
    """The result of the suite that the test's marker `memory_suite` names. A suite runs once a session for an agent.

    Its scores become properties of the test in JUnit XML, of either family.
    """
    return evaluations_of(request.config).result_for(request, memory_agent, tmp_path_factory)


def evaluations_of(config: pytest.Config) -> "Evaluations":
    found: Evaluations | None = config.pluginmanager.get_plugin(NAME)
    return _begin(config) if found is None else found


def _begin(config: pytest.Config) -> "Evaluations":
    from .evaluations import Evaluations  # noqa: PLC0415 - see the module's docstring

    summary = os.environ.get("GITHUB_STEP_SUMMARY")  # noqa: TID251 - pytest has no other way to be told
    begun = Evaluations(config, step_summary=summary or None)
    config.pluginmanager.register(begun, NAME)
    return begun
