import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.factories.longmemeval_results import a_question

from aml.toolkit.longmemeval.accounting import accuracies, accuracy_of, count
from aml.toolkit.longmemeval.question_result import Status


def test_everything_is_counted_and_judge_calls_add_up() -> None:
    counts = count(
        [
            a_question(1, "correct", judge_retry_calls=2),
            a_question(2, "incorrect"),
            a_question(3, "inconclusive", judge_retry_calls=1),
            a_question(4, "agent_failure", judge_primary_calls=0),
        ]
    )
    assert (counts.selected, counts.completed, counts.scored) == (4, 3, 2)
    assert (counts.correct, counts.incorrect, counts.inconclusive, counts.agent_failure) == (1, 1, 1, 1)
    assert (counts.judge_primary_calls, counts.judge_retry_calls, counts.judge_calls) == (3, 3, 6)


def test_nothing_scored_has_no_accuracy_and_is_not_zero() -> None:
    found = accuracies([a_question(1, "inconclusive"), a_question(2, "agent_failure")])
    assert found.overall.accuracy is None
    assert (found.overall.low, found.task_averaged, found.axes) == (None, None, {})
    assert found.by_type["multi-session"].accuracy is None


def test_the_mean_of_the_types_weighs_each_type_alike() -> None:
    found = accuracies(
        [
            *(a_question(number, "correct") for number in range(3)),
            a_question(4, "incorrect", question_type="temporal-reasoning"),
        ]
    )
    assert (found.overall.accuracy, found.task_averaged) == (75.0, 50.0)
    assert list(found.by_type) == ["multi-session", "temporal-reasoning"]


def test_abstention_counts_in_its_type_and_apart_and_on_its_own_axis() -> None:
    found = accuracies([a_question(1, "correct"), a_question(2, "incorrect", abstention=True)])
    assert found.by_type["multi-session"].accuracy == 50.0
    assert found.abstention.accuracy == 0.0
    assert found.axes == {"multi_session": 100.0, "abstention": 0.0}


STATUSES: st.SearchStrategy[Status] = st.sampled_from(["correct", "incorrect", "inconclusive", "agent_failure"])


@given(st.lists(STATUSES, min_size=1, max_size=30))
def test_the_parts_make_the_whole(statuses: list[Status]) -> None:
    questions = [a_question(number, status) for number, status in enumerate(statuses)]
    counts, accuracy = count(questions), accuracy_of(questions)
    assert counts.correct + counts.incorrect == counts.scored
    assert counts.scored + counts.inconclusive + counts.agent_failure == counts.selected
    if accuracy.accuracy is None:
        assert counts.scored == 0
    else:
        assert accuracy.low is not None
        assert accuracy.high is not None
        assert accuracy.low <= accuracy.accuracy == pytest.approx(100 * counts.correct / counts.scored)
        assert accuracy.accuracy <= accuracy.high
