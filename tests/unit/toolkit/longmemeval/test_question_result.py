from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from aml.contracts.packs import AnswerRecord, VerdictRecord
from aml.gateway.results.views import QuestionRow
from aml.toolkit.longmemeval.dataset import QuestionKey
from aml.toolkit.longmemeval.options import LongMemEvalOptions
from aml.toolkit.longmemeval.question_result import question_result
from aml.toolkit.longmemeval.sampling import Entry

KEY = QuestionKey(
    entry=Entry("q1", "multi-session", False),
    text="Where?",
    reference="Ghent",
    asked_at=1_685_490_000_000,
    answer_sessions=("s1",),
    sessions=4,
)
ROW = QuestionRow(
    **dict.fromkeys(QuestionRow.__struct_fields__, None)  # type: ignore[arg-type]
    | {"unit": "u", "outcome": "correct", "score": 1_000_000, "judge_calls": 3, "search_micros": 1500},
)
VERDICT = VerdictRecord(rule="llm_judge", score=1_000_000, reason="same", judge_reply="correct")
UNDECIDED = replace(ROW, outcome="unscored", score=None, stage="scoring", reason="judge", detail="no verdict in 3")


def a_file(row: QuestionRow = ROW, verdict: VerdictRecord | None = VERDICT) -> Any:
    return SimpleNamespace(row=row, answer=AnswerRecord(text="Ghent", answerer="agent"), verdict=verdict)


def result(file: Any, failure: str | None = None, parts: int = 1, **options: Any) -> Any:
    return question_result(KEY, file, failure, None, LongMemEvalOptions(**options), parts=parts)


def test_a_scored_question() -> None:
    found = result(a_file())
    assert (found.status, found.correct, found.answer, found.asked_on) == ("correct", True, "Ghent", "2023-05-30")
    assert (found.judge_primary_calls, found.judge_retry_calls, found.judge_calls) == (1, 2, 3)
    assert (found.latency_ms, found.unscored, found.ran) == (1.5, None, True)


def test_a_graded_score_is_not_right() -> None:
    assert result(a_file(replace(ROW, outcome="graded", score=500_000))).status == "incorrect"


@pytest.mark.parametrize(
    ("policy", "correct"),
    [("retry_then_inconclusive", None), ("retry_then_incorrect", False), ("fail_run", None)],
)
def test_the_policy_decides_how_a_question_without_a_verdict_counts_and_never_what_it_is(
    policy: str, correct: bool | None
) -> None:
    found = result(a_file(UNDECIDED, None), judge_failure_policy=policy)
    assert (found.status, found.correct) == ("inconclusive", correct)
    assert found.unscored is not None
    assert found.judge.outcome == "no_verdict"


def test_an_agent_that_failed_is_neither_wrong_nor_inconclusive_whatever_the_policy() -> None:
    row = replace(ROW, outcome="unscored", score=None, stage="retrieval", reason="transport", detail="500")
    found = result(a_file(row, None), "the agent raised ValueError", judge_failure_policy="retry_then_incorrect")
    assert (found.status, found.correct, found.judge) == ("agent_failure", None, None)
    assert found.unscored.detail == "the agent raised ValueError (500)"


def test_one_that_was_never_asked_did_not_run() -> None:
    found = result(None)
    assert (found.status, found.ran, found.judge_calls) == ("agent_failure", False, 0)


@pytest.mark.parametrize(
    ("mode", "kept"),
    [
        ("none", None),
        ("outcome", ("correct", None, None)),
        ("explanation", ("correct", "same", None)),
        ("raw", ("correct", "same", "correct")),
    ],
)
def test_only_so_much_of_the_verdict_is_kept(mode: str, kept: tuple[str | None, ...] | None) -> None:
    judge = result(a_file(), judge_evidence_mode=mode).judge
    assert (None if judge is None else (judge.outcome, judge.explanation, judge.raw)) == kept


def test_each_part_of_a_reference_is_a_primary_call() -> None:
    found = result(a_file(replace(ROW, judge_calls=4)), parts=3)
    assert (found.judge_primary_calls, found.judge_retry_calls) == (3, 1)
