import msgspec
import pytest
from tests.factories.longmemeval_results import a_question, a_result

from aml.toolkit.longmemeval.published import PUBLISHED, published_for
from aml.toolkit.longmemeval.result import LongMemEvalResult, pair


def test_a_result_is_json_and_back_and_the_same_bytes() -> None:
    result = a_result([a_question(1), a_question(2, "incorrect")], published=PUBLISHED)
    assert LongMemEvalResult.from_json(result.to_json()) == result
    assert LongMemEvalResult.from_json(result.to_json()).to_json() == result.to_json()
    with pytest.raises(msgspec.ValidationError):
        LongMemEvalResult.from_json(b"{}")


def test_a_result_is_complete_where_every_question_has_a_verdict() -> None:
    assert a_result([a_question(1)]).complete
    assert not a_result([a_question(1), a_question(2, "inconclusive")]).complete
    assert not a_result([a_question(1), a_question(2, "agent_failure")]).complete


def test_the_gap_is_over_the_questions_that_both_arms_scored() -> None:
    agent = a_result([a_question(1, "incorrect"), a_question(2, "correct"), a_question(3, "inconclusive")])
    oracle = a_result([a_question(1, "correct"), a_question(2, "correct"), a_question(3, "correct")], arm="oracle")
    paired = pair(agent, oracle)
    assert (paired.both_scored, paired.agent_accuracy, paired.oracle_accuracy, paired.gap_points) == (
        2,
        50.0,
        100.0,
        50.0,
    )


def test_a_memory_that_beats_the_oracle_has_a_gap_below_0() -> None:
    paired = pair(a_result([a_question(1)]), a_result([a_question(1, "incorrect")], arm="oracle"))
    assert paired.gap_points == -100.0


def test_no_question_scored_twice_is_no_gap() -> None:
    paired = pair(a_result([a_question(1, "inconclusive")]), a_result([a_question(1)], arm="oracle"))
    assert (paired.both_scored, paired.gap_points) == (0, None)


def test_published_rows_name_their_source_and_the_arm_they_are_for() -> None:
    assert all("2410.10813" in row.source and 0 < row.accuracy < 100 for row in PUBLISHED)
    assert [row.accuracy for row in published_for("assistant_study")] == [57.7]
    whole = {row.system: row.accuracy for row in published_for("whole_history")}
    assert all(whole[row.system] < row.accuracy for row in published_for("oracle"))
