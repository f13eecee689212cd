from msgspec.structs import replace
from tests.factories.longmemeval_results import a_question, a_result

from aml.toolkit.longmemeval.options import LongMemEvalOptions
from aml.toolkit.longmemeval.oracle import OracleReport
from aml.toolkit.longmemeval.published import published_for
from aml.toolkit.longmemeval.result import pair
from aml.toolkit.longmemeval.retrieval_metrics import retrieval_metrics
from aml.toolkit.longmemeval.shown import paired_lines, result_lines


def test_every_figure_has_its_denominator() -> None:
    result = a_result(
        [a_question(1), a_question(2, "incorrect"), a_question(3, "inconclusive", judge_retry_calls=2)],
        published=published_for("whole_history"),
    )
    text = "\n".join(result_lines(result))
    assert "50.0 % (" in text
    assert "1 of 2 scored, 3 asked" in text
    assert "abstention not scored (0 of 0)" in text
    assert "judge calls 5: 3 primary, 2 retry" in text
    assert "GPT-4o 60.6 (n = 500" in text
    assert "hold a date" not in text


def test_what_was_asked_for_stands_beside_what_came_of_it() -> None:
    options = LongMemEvalOptions(
        abstention_policy="target_proportion", abstention_target_proportion=0.5, answer_temperature=0.0
    )
    result = a_result(
        [a_question(1), a_question(2, abstention=True), a_question(3)],
        options=options,
        oracle=OracleReport(gold_available=4, gold_kept=2, distractors_requested=6, distractors_added=5),
        retrieval=(retrieval_metrics("a", {"a"}, 1),),
    )
    short = replace(result.composition, requested_questions=5)
    grounding = replace(result.grounding, mode="timestamps_only")
    text = "\n".join(result_lines(replace(result, composition=short, grounding=grounding)))
    for line in (
        "the sample is short: 3 of 5 questions",
        "abstention: 50.0% asked for, 33.3% in the sample",
        "answer temperature 0: not supported",
        "25.0% of 4 sessions hold a date in their own text",
        "2 of 4 answer sessions kept, 5 of 6 distractors added",
        "retrieval @1: recall_any 1.000",
    ):
        assert line in text


def test_the_gap_is_in_points() -> None:
    wrong, right = a_result([a_question(1, "incorrect")]), a_result([a_question(1)], arm="oracle")
    assert "gap to the oracle: 100.0 points, over 1 questions" in list(paired_lines(pair(wrong, right)))[-1]
    open_ended = a_result([a_question(1, "inconclusive")])
    assert "none" in list(paired_lines(pair(open_ended, right)))[-1]
