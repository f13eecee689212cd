"""Lines, Markdown and JUnit XML of the same results."""

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.factories.suite_results import a_provenance, a_question, a_result

from aml.toolkit.baselines import compare
from aml.toolkit.baselines.baseline import baseline_of
from aml.toolkit.evaluation.exit_decision import Conclusion, Verdict
from aml.toolkit.outputs import Held, junit_of, markdown_of, result_lines
from aml.toolkit.results import SuiteResult

HOSTILE = "x | y\n# heading <script>alert(1)</script> **bold** [link](https://evil.example) `code` $a$ \x1b[31m\x00"


def some_result() -> SuiteResult:
    questions = [
        a_question("basic_retention", 100.0, number=1),
        a_question("basic_retention", 40.0, number=2, answer="thing 7", latency_ms=1500.0),
        a_question("reach_back", None, number=3, depth=5),
    ]
    return a_result(questions, {"basic_retention": 0.4, "reach_back": 0.6})


def test_lines_name_every_category_with_n_and_interval() -> None:
    lines = result_lines(Held(result=some_result()))
    assert lines[0].startswith("an agent, quick (en): ")
    assert "2 of 3 questions scored, INCOMPLETE" in lines[0]
    assert lines[1].startswith("  basic_retention   70.0 (")
    assert lines[1].endswith("), n = 2, below 80")
    assert lines[2] == "  reach_back       not scored, 1 unscored"


def test_lines_tell_the_spread_and_the_baseline() -> None:
    repeated = a_result([a_question(score=score, repeat=repeat) for repeat, score in enumerate((80.0, 100.0))])
    before = baseline_of(a_result([a_question(score=100.0)]), "main")
    lines = result_lines(Held(result=repeated, wanted=True, comparison=compare(repeated, before)))
    assert "  over 2 repeats Overall lay between 80.0 and 100.0" in lines
    assert "  since the baseline main: -10.0 points" in lines
    other = a_result([a_question()], provenance=a_provenance(seed=9))
    lines = result_lines(Held(result=other, wanted=True, comparison=compare(other, before)))
    assert "  not comparable with the baseline main: seed: 9 here, 0 there" in lines


def test_markdown_has_a_table_and_the_failures() -> None:
    page = markdown_of([Held(result=some_result())], Verdict(Conclusion.INCOMPLETE, "1 of 3 questions are unscored"))
    assert page.startswith("## Agent memory\n\n**1 of 3 questions are unscored**\n\n### an agent, quick (en)\n")
    assert "| basic\\_retention | 70.0 |" in page
    assert "| reach\\_back | not scored | – | 0 of 1 | – |" in page
    assert "<summary>2 questions below 70 or unscored</summary>" in page
    assert "answered “thing 7”, wanted “thing 2” (40)" in page
    assert "unscored in answer: model, it was away" in page


def test_what_an_agent_said_stays_text() -> None:
    result = a_result([a_question(score=0.0, answer=HOSTILE, text=HOSTILE)])
    page = markdown_of([Held(result=result)])
    (line,) = [each for each in page.splitlines() if each.startswith("- **basic")]
    assert "<script>" not in line
    assert "\\[link\\]" in line
    assert "https://evil" not in line
    assert "\\| y" in line
    assert "\\*\\*bold\\*\\* " in line
    assert "\\$a\\$" in line
    assert "\x1b" not in page


def test_a_long_answer_is_cut() -> None:
    result = a_result([a_question(score=0.0, answer="y" * 1_000_000, number=number) for number in range(50)])
    assert len(markdown_of([Held(result=result)])) < 40_000
    assert len(junit_of([Held(result=result)])) < 200_000


def test_junit_has_a_suite_a_category_and_a_case_a_question() -> None:
    root = ET.fromstring(junit_of([Held(result=some_result())], Verdict(Conclusion.INCOMPLETE, "one is missing")))
    suites = {suite.get("name"): suite for suite in root}
    assert list(suites) == ["quick overall", "quick basic_retention", "quick reach_back"]
    counts = {name: tuple(suite.get(key) for key in ("tests", "failures", "errors")) for name, suite in suites.items()}
    assert counts == {
        "quick overall": ("1", "0", "1"),
        "quick basic_retention": ("2", "1", "0"),
        "quick reach_back": ("1", "0", "1"),
    }
    failed = root.find(".//testcase[@name='basic_retention-2']")
    assert failed is not None
    assert failed.get("time") == "1.500"
    failure = failed.find("failure")
    assert failure is not None
    assert failure.get("message") == "scored 40 of 100"
    assert "wanted: thing 2" in (failure.text or "")
    properties = {each.get("name"): each.get("value") for each in suites["quick basic_retention"].iter("property")}
    assert properties["aml.score"] == "70.00"
    assert properties["aml.n"] == "2"
    assert float(properties["aml.low"] or "nan") < 70 < float(properties["aml.high"] or "nan")


@given(text=st.text())
def test_junit_is_xml_whatever_an_agent_says(text: str) -> None:
    result = a_result([a_question(score=0.0, answer=text, text=text, reference=text)])
    ET.fromstring(junit_of([Held(result=result)]))


@pytest.mark.parametrize("repeat", [0, 1])
def test_repeats_have_names_of_their_own(repeat: int) -> None:
    result = a_result([a_question(score=100.0, repeat=each) for each in range(2)])
    names = [case.get("name") for case in ET.fromstring(junit_of([Held(result=result)])).iter("testcase")]
    assert ("basic_retention-1" if not repeat else "basic_retention-1 (repeat 2)") in names
