"""A saved file is read by what it holds."""

from pathlib import Path

import pytest
from tests.factories import longmemeval_results
from tests.factories.suite_results import a_question, a_result

from aml.toolkit.longmemeval.as_suite import as_suite_result
from aml.toolkit.longmemeval.published import published_for
from aml.toolkit.longmemeval.result import LongMemEvalResult, pair
from aml.toolkit.report import render_report
from aml.toolkit.report.run_files import RunUnreadable, read_runs


def a_run(arm: str = "agent") -> LongMemEvalResult:
    questions = [longmemeval_results.a_question(1), longmemeval_results.a_question(2, "incorrect")]
    return longmemeval_results.a_result(questions, arm=arm, published=published_for("whole_history"))


def saved(folder: Path, content: bytes) -> Path:
    path = folder / "run.json"
    path.write_bytes(content)
    return path


def test_a_suites_result_is_read_back(tmp_path: Path) -> None:
    result = a_result([a_question()])

    found = read_runs(saved(tmp_path, result.to_json()))

    assert found.results == (result,)
    assert found.references == ()


def test_a_longmemeval_run_is_known_by_its_fields(tmp_path: Path) -> None:
    run = a_run()

    found = read_runs(saved(tmp_path, run.to_json()))

    assert found.results == (as_suite_result(run),)
    assert len(found.references) == len(run.published) > 0


def test_its_page_has_the_published_rows_and_the_abilities_that_were_scored(tmp_path: Path) -> None:
    found = read_runs(saved(tmp_path, a_run().to_json()))

    page = render_report(found.results, references=found.references).decode()

    assert "GPT-4o with chain of note" in page
    assert "Wu et al." in page
    assert "Extraction" not in page
    assert "Several sessions" in page


def test_a_pair_of_arms_is_two_runs(tmp_path: Path) -> None:
    path = saved(tmp_path, pair(a_run(), a_run("oracle")).to_json())

    assert [each.agent for each in read_runs(path).results] == ["mine", "mine · oracle"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "truncated"),
        (b"\xff\xfe", "malformed|invalid"),
        (b"[]", "Expected `object`, got `array`"),
        (b"{}", "missing required field"),
        (b'{"arm": "agent"}', "missing required field"),
        (b'{"both_scored": 1}', "missing required field"),
    ],
)
def test_another_file_is_refused_with_its_problem(tmp_path: Path, content: bytes, problem: str) -> None:
    with pytest.raises(RunUnreadable, match=problem):
        read_runs(saved(tmp_path, content))


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunUnreadable, match="No such file"):
        read_runs(tmp_path / "run.json")
