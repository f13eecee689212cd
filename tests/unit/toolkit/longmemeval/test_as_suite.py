"""A LongMemEval run in a suite's shape keeps its own figures."""

import pytest
from tests.factories.longmemeval_results import a_question, a_result

from aml.toolkit.longmemeval.as_suite import as_suite_result
from aml.toolkit.results import MemoryAssertionError

MIXED = a_result(
    [
        a_question(1),
        a_question(2, "incorrect", question_type="knowledge-update"),
        a_question(3, question_type="knowledge-update", abstention=True),
        a_question(4, question_type="temporal-reasoning"),
    ]
)


def test_overall_is_the_accuracy_and_categories_are_the_types() -> None:
    suite = as_suite_result(MIXED)

    whole = MIXED.accuracies.overall
    assert (suite.overall, suite.low, suite.high) == (whole.accuracy, whole.low, whole.high)
    assert suite.overall == 75
    assert {each.category: (each.score, each.planned) for each in suite.categories} == {
        "multi-session": (100, 1),
        "temporal-reasoning": (100, 1),
        "knowledge-update": (50, 2),
        "abstention": (100, 1),
    }
    assert sum(each.weight for each in suite.categories) == pytest.approx(1)
    assert {axis.name: axis.score for axis in suite.axes} == MIXED.accuracies.axes
    assert suite.complete


def test_expectations_work_on_it() -> None:
    suite = as_suite_result(MIXED)

    suite.should.have_category_above("temporal-reasoning", 80).have_no_hallucinations()
    with pytest.raises(MemoryAssertionError, match="q2"):
        suite.should.have_overall_above(90, because="the memory is for good")


def test_what_the_judge_left_open_stays_unscored() -> None:
    suite = as_suite_result(a_result([a_question(1), a_question(2, "inconclusive", correct=False)]))

    assert (suite.overall, suite.unscored, suite.complete) == (50, 1, False)


def test_what_the_agent_failed_on_stays_unscored() -> None:
    suite = as_suite_result(a_result([a_question(1), a_question(2, "agent_failure")]))

    assert (suite.overall, suite.unscored, suite.complete) == (100, 1, False)
    assert suite.questions[1].unscored is not None


def test_a_run_of_nothing_is_no_division_by_nothing() -> None:
    assert as_suite_result(a_result([])).overall == 0


def test_an_arm_stands_in_the_name() -> None:
    assert as_suite_result(a_result([a_question()], arm="oracle")).agent == "mine · oracle"


def test_an_unkept_provenance_compares_with_nothing() -> None:
    suite = as_suite_result(MIXED)

    assert suite.provenance.differences(suite.provenance)
