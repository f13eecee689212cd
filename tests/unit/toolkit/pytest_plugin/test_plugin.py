"""The plugin in sessions of its own, with suites that are over at once."""

from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from tests.factories.plugin_sessions import CONFTEST, LOADED, ONE_TEST, scoring

from aml.toolkit.baselines import BaselineStore
from aml.toolkit.results import SuiteResult
from aml.toolkit.suite_run.blocking import wait_for
from aml.toolkit.suite_run.suite import Suite

pytest_plugins = ("pytester",)

Runs = list[tuple[str, dict[str, Any]]]


@pytest.fixture
def runs(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Runs:
    """What was run, in a project whose suites give 100 points."""
    pytester.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function\n")
    pytester.makeconftest(CONFTEST)
    return answered_by(monkeypatch, lambda suite: scoring(suite=suite))


def answered_by(monkeypatch: pytest.MonkeyPatch, result: Callable[[str], SuiteResult]) -> Runs:
    runs: Runs = []

    def run_sync(self: Suite, agent: Any, **options: Any) -> SuiteResult:
        runs.append((self.value, options))
        return result(self.value)

    monkeypatch.setattr(Suite, "run_sync", run_sync)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    return runs


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return pytester.runpytest_inprocess("-p", "no:cacheprovider", *LOADED, *arguments)


def test_a_suite_runs_once_for_all_tests_and_is_summed_up(pytester: pytest.Pytester, runs: Runs) -> None:
    pytester.makepyfile(ONE_TEST + ONE_TEST.replace("test_memory", "test_again"))
    done = run(pytester)
    assert done.ret == 0
    assert runs == [("quick", {"stack": "a stack", "repeats": 1})]
    done.stdout.fnmatch_lines(["*agent memory*", "an agent, quick (en): 100.0 A+*2 of 2 questions scored*", "*passed*"])


def test_a_marker_goes_before_the_command_line(pytester: pytest.Pytester, runs: Runs) -> None:
    marked = "import pytest\n@pytest.mark.memory_suite('standard', language='zh', limit=3, repeats=2)" + ONE_TEST
    pytester.makepyfile(test_marked=marked, test_plain=ONE_TEST)
    assert run(pytester, "--aml-suite", "full", "--aml-repeat", "5", "--strict-markers").ret == 0
    assert runs == [
        ("standard", {"stack": "a stack", "repeats": 2, "language": "zh", "limit": 3}),
        ("full", {"stack": "a stack", "repeats": 5}),
    ]


def test_agents_of_a_parametrised_fixture_are_told_apart(pytester: pytest.Pytester, runs: Runs) -> None:
    fixture = "@pytest.fixture(params=[5, 20])\ndef memory_agent(request):\n    return lambda message: ''\n"
    pytester.makepyfile("import pytest\n" + fixture + ONE_TEST)
    assert run(pytester).ret == 0
    assert len(runs) == 2


@pytest.mark.parametrize(
    ("score", "arguments", "code", "sentence"),
    [
        (100.0, ["--aml-fail-under", "90"], 0, "quick: Overall 100.00, every one of 2 questions scored"),
        (80.0, ["--aml-fail-under", "90"], 3, "quick: BELOW THRESHOLD: Overall 80.00 is below 90"),
        (None, ["--aml-fail-under", "90"], 4, "quick: INCOMPLETE: 2 of 2 questions are unscored (answer: model 2)"),
        (None, [], 4, "quick: INCOMPLETE: 2 of 2 questions are unscored (answer: model 2)"),
        (80.0, [], 0, "quick: Overall 80.00, every one of 2 questions scored"),
    ],
)
def test_exit_codes(
    pytester: pytest.Pytester, runs: Runs, monkeypatch: pytest.MonkeyPatch, score: float | None, arguments: list[str],
    code: int, sentence: str,
) -> None:  # fmt: skip
    answered_by(monkeypatch, lambda suite: scoring(score, suite))
    pytester.makepyfile(ONE_TEST)
    done = run(pytester, *arguments)
    assert done.ret == code
    done.stdout.fnmatch_lines([sentence.replace("[", "[[]")])


def test_a_failed_test_keeps_pytests_own_exit_code(
    pytester: pytest.Pytester, runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered_by(monkeypatch, lambda suite: scoring(10.0, suite))
    pytester.makepyfile("def test_memory(aml_suite_result):\n    aml_suite_result.should.have_retention_above(50)\n")
    done = run(pytester, "--aml-fail-under", "50")
    assert done.ret == 1
    done.stdout.fnmatch_lines(["*expected basic retention above 50, but it is 10.0*"])


def test_a_threshold_that_nothing_was_held_against_is_no_pass(pytester: pytest.Pytester, runs: Runs) -> None:
    pytester.makepyfile("def test_other():\n    pass\n")
    done = run(pytester, "--aml-fail-under", "50")
    assert done.ret == 2
    done.stdout.fnmatch_lines(["--aml-fail-under was given, but no test that ran uses the fixture aml_suite_result"])


def test_collecting_only_asks_for_no_result(pytester: pytest.Pytester, runs: Runs) -> None:
    pytester.makepyfile(ONE_TEST)
    assert run(pytester, "--collect-only", "--aml-fail-under", "50").ret == 0
    assert runs == []


def test_without_an_agent_it_says_how_to_name_one(pytester: pytest.Pytester, runs: Runs) -> None:
    pytester.makeconftest("")
    pytester.makepyfile(ONE_TEST)
    done = run(pytester)
    assert done.ret == 1
    done.stdout.fnmatch_lines(["*define a fixture memory_agent in conftest.py*"])


def test_the_ini_file_can_name_the_agent(pytester: pytest.Pytester, runs: Runs) -> None:
    pytester.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function\naml_agent = my_agents:diary\n")
    pytester.makeconftest(CONFTEST[: CONFTEST.index("@pytest.fixture\n")])
    pytester.makepyfile(my_agents="def diary(message):\n    return 'Delft'\n", test_it=ONE_TEST)
    assert run(pytester).ret == 0
    assert len(runs) == 1


def test_a_suite_that_cannot_run_is_tried_once(
    pytester: pytest.Pytester, runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(suite: str) -> SuiteResult:
        raise OSError("no space left")

    tried = answered_by(monkeypatch, broken)
    pytester.makepyfile(ONE_TEST + ONE_TEST.replace("test_memory", "test_again"))
    done = run(pytester)
    assert done.ret == 1
    assert len(tried) == 1
    done.stdout.fnmatch_lines(["*SuiteFailed: OSError: no space left*"])


def test_baselines_are_kept_and_held_against(
    pytester: pytest.Pytester, runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.makepyfile(ONE_TEST)
    first = run(pytester, "--aml-baseline", "kept", "--aml-max-drop", "5", "--aml-update-baseline")
    assert first.ret == 4
    first.stdout.fnmatch_lines(["*no baseline of this configuration yet*", "quick: kept as the baseline *"])
    assert [each.label for each in BaselineStore(pytester.path / "kept").load_all()] == ["an agent quick en"]

    assert run(pytester, "--aml-baseline", "kept", "--aml-max-drop", "5").ret == 0
    answered_by(monkeypatch, lambda suite: scoring(90.0, suite))
    fell = run(pytester, "--aml-baseline", "kept", "--aml-max-drop", "5")
    assert fell.ret == 3
    fell.stdout.fnmatch_lines(["*since the baseline an agent quick en: -10.0 points*", "*fell by 10.00 since*"])
    assert run(pytester, "--aml-baseline", "kept/an-agent-quick-en.json").ret == 0

    answered_by(monkeypatch, lambda suite: scoring(100.0, suite, dataset_sha256="d" * 64))
    other = run(pytester, "--aml-baseline", "kept", "--aml-max-drop", "5")
    assert other.ret == 4
    other.stdout.fnmatch_lines(["*not comparable with the baseline*dataset*"])


def test_scores_stand_in_junit_xml_and_in_the_step_summary_and_in_the_report(
    pytester: pytest.Pytester, runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = pytester.path / "summary.md"
    summary.write_text("an earlier step\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    pytester.makepyfile(ONE_TEST)
    done = run(pytester, "--junitxml", "junit.xml", "--aml-report", "report.html", "-W", "error")
    assert done.ret == 0
    found = {each.get("name"): each.get("value") for each in ET.parse(pytester.path / "junit.xml").iter("property")}
    assert found["aml.overall"] == "100.00"
    assert found["aml.n"] == "2"
    assert found["aml.basic_retention.low"] is not None
    assert summary.read_text().startswith("an earlier step\n## Agent memory\n")
    assert "| basic\\_retention | 100.0 |" in summary.read_text()
    assert b"an agent" in (pytester.path / "report.html").read_bytes()


LOOPED = """
import asyncio
import pytest

@pytest.fixture(autouse=True)
def a_loop_of_another_plugin():
    asyncio._set_running_loop(loop := asyncio.new_event_loop())
    yield
    asyncio._set_running_loop(None)
    loop.close()
"""


def test_a_loop_that_runs_already_is_no_obstacle(
    pytester: pytest.Pytester, runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def evaluated() -> SuiteResult:
        return scoring()

    monkeypatch.setattr(Suite, "run_sync", lambda self, agent, **options: wait_for(evaluated(), "run"))
    pytester.makepyfile(LOOPED + ONE_TEST)
    assert run(pytester).ret == 0
