import pytest
from tests.factories.longmemeval_results import a_question, a_result

from aml.toolkit.evaluation.exit_decision import Conclusion
from aml.toolkit.longmemeval.conclusion import conclude_longmemeval
from aml.toolkit.longmemeval.question_result import Status
from aml.toolkit.longmemeval.result import pair

HALF = a_result([a_question(1), a_question(2, "incorrect")])


@pytest.mark.parametrize(
    ("fail_under", "conclusion", "sentence"),
    [
        (None, Conclusion.PASSED, "every one of 2 questions has a verdict"),
        (50, Conclusion.PASSED, "every one of 2 questions has a verdict"),
        (50.1, Conclusion.BELOW_THRESHOLD, "50.00 % is below 50.1"),
    ],
)
def test_a_threshold_is_one_to_reach(fail_under: float | None, conclusion: Conclusion, sentence: str) -> None:
    verdict = conclude_longmemeval(HALF, fail_under)

    assert (verdict.conclusion, verdict.sentence) == (conclusion, sentence)


@pytest.mark.parametrize("left", ["inconclusive", "agent_failure"])
def test_a_question_without_a_verdict_wins_over_a_threshold(left: Status) -> None:
    result = a_result([a_question(1), a_question(2, left)])

    verdict = conclude_longmemeval(result, 10)

    assert verdict.conclusion is Conclusion.INCOMPLETE
    assert verdict.sentence == "1 of 2 questions of the agent arm have no verdict"


def test_no_question_at_all_is_incomplete() -> None:
    assert conclude_longmemeval(a_result([]), None).conclusion is Conclusion.INCOMPLETE


def test_of_two_arms_the_agents_own_is_held_against_the_threshold() -> None:
    oracle = a_result([a_question(1), a_question(2)], arm="oracle")

    assert conclude_longmemeval(pair(HALF, oracle), 60).conclusion is Conclusion.BELOW_THRESHOLD
    assert conclude_longmemeval(pair(HALF, oracle), 50).conclusion is Conclusion.PASSED


def test_of_two_arms_both_need_their_verdicts() -> None:
    oracle = a_result([a_question(1), a_question(2, "inconclusive")], arm="oracle")

    verdict = conclude_longmemeval(pair(HALF, oracle), None)

    assert verdict.conclusion is Conclusion.INCOMPLETE
    assert "oracle arm" in verdict.sentence
