"""Questions and results of LongMemEval runs that never ran."""

from collections.abc import Sequence
from typing import Any

from aml.toolkit.longmemeval.accounting import accuracies, count
from aml.toolkit.longmemeval.answer_sampling import sampling_report
from aml.toolkit.longmemeval.composition import compose
from aml.toolkit.longmemeval.dates_in_text import GroundingReport
from aml.toolkit.longmemeval.options import LongMemEvalOptions
from aml.toolkit.longmemeval.question_result import JudgeEvidence, LongMemEvalQuestion, Status
from aml.toolkit.longmemeval.result import LongMemEvalResult
from aml.toolkit.longmemeval.sampling import Entry, Selection
from aml.toolkit.results import Unscored


def a_question(number: int = 1, status: Status = "correct", **changes: Any) -> LongMemEvalQuestion:
    decided = status in ("correct", "incorrect")
    given: dict[str, Any] = {
        "question_id": f"q{number}",
        "question_type": "multi-session",
        "abstention": False,
        "text": "Where?",
        "reference": "Ghent",
        "asked_on": "2023-05-30",
        "answer_sessions": ("s1",),
        "answer": None if status == "agent_failure" else "Ghent",
        "status": status,
        "correct": status == "correct" if decided else None,
        "judge": JudgeEvidence(outcome="correct", explanation="same") if decided else None,
        "unscored": None if decided else Unscored(stage="scoring", reason="judge", detail="no verdict"),
        "judge_primary_calls": 1,
        "judge_retry_calls": 0,
        "latency_ms": 4.0,
        "prompt_tokens": None,
        "evidence": None,
    }
    return LongMemEvalQuestion(**{**given, **changes})


def a_result(questions: Sequence[LongMemEvalQuestion], **changes: Any) -> LongMemEvalResult:
    options = changes.pop("options", LongMemEvalOptions())
    entries = tuple(Entry(each.question_id, each.question_type, each.abstention) for each in questions)
    selection = Selection(questions=entries, available=len(entries), requested=len(entries), requested_abstention=None)
    given: dict[str, Any] = {
        "agent": "mine",
        "model": None,
        "arm": "agent",
        "started_at": "2026-01-01T00:00:00Z",
        "seconds": 1.5,
        "job_id": "job-1",
        "options": options,
        "counts": count(questions),
        "accuracies": accuracies(questions),
        "composition": compose(entries, selection, options.abstention_target_proportion),
        "questions": tuple(questions),
        "retrieval": (),
        "answer_sampling": sampling_report(options.answer_temperature, options.answer_seed, set()),
        "grounding": GroundingReport(mode="none", sessions=4, sessions_with_dates=1, earliest=1, latest=2),
        "oracle_options": None,
        "oracle": None,
        "provenance": None,
        "published": (),
    }
    return LongMemEvalResult(**{**given, **changes})
