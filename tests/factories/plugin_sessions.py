"""What sessions of pytest with our plugin are made of: how it is loaded, a project, and a result for its suites."""

from importlib.metadata import entry_points
from typing import Any

from tests.factories.suite_results import a_provenance, a_question, a_result

from aml.toolkit.results import SuiteResult

PLUGIN = "aml.toolkit.pytest_plugin.plugin"
LOADED = () if entry_points(group="pytest11", name="aml") else ("-p", PLUGIN)
CONFTEST = """
import pytest

@pytest.fixture(scope="session")
def aml_stack():
    return "a stack"

@pytest.fixture
def memory_agent():
    def diary(message):
        return "nothing"
    return diary
"""
ONE_TEST = """
def test_memory(aml_suite_result):
    assert aml_suite_result.planned
"""


def scoring(score: float | None = 100.0, suite: str = "quick", **changes: Any) -> SuiteResult:
    questions = [a_question("basic_retention", score, number=number) for number in (1, 2)]
    return a_result(questions, provenance=a_provenance(suite=suite, **changes))
