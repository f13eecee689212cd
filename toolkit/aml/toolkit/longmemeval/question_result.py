"""One question of a LongMemEval run: what became of it, and how much of its verdict is kept."""

from typing import Final, Literal

from msgspec import Struct

from aml.gateway.results.views import QuestionFile, QuestionRow
from aml.toolkit.agents.received import instant
from aml.toolkit.results import Unscored

from .dataset import QuestionKey
from .options import JudgeEvidenceMode, JudgeFailurePolicy, LongMemEvalOptions
from .retrieved import CapturedEvidence

RAW_LENGTH: Final = 4_000
NOT_ASKED: Final = "not_asked"
_FULL: Final = 1_000_000

Status = Literal["correct", "incorrect", "inconclusive", "agent_failure"]
"""inconclusive: answered, and without a verdict. agent_failure: there is no answer to judge. Neither is a wrong answer."""


class JudgeEvidence(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    outcome: Literal["correct", "incorrect", "no_verdict"]
    explanation: str | None = None
    raw: str | None = None
    """The judging model's reply, at most 4,000 characters; None for a judge without a model too."""


class LongMemEvalQuestion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    question_id: str
    question_type: str
    abstention: bool
    text: str
    reference: str
    asked_on: str
    """ISO 8601 day, in the dataset's own time."""
    answer_sessions: tuple[str, ...]
    answer: str | None
    status: Status
    correct: bool | None
    """As this run counts it. False for an inconclusive one only under the policy retry_then_incorrect."""
    judge: JudgeEvidence | None
    unscored: Unscored | None
    judge_primary_calls: int
    judge_retry_calls: int
    latency_ms: float | None
    prompt_tokens: int | None
    evidence: CapturedEvidence | None

    @property
    def ran(self) -> bool:
        """It was asked, whatever came of it."""
        return self.unscored is None or self.unscored.reason != NOT_ASKED

    @property
    def judge_calls(self) -> int:
        return self.judge_primary_calls + self.judge_retry_calls


def question_result(
    key: QuestionKey,
    file: QuestionFile | None,
    failure: str | None,
    evidence: CapturedEvidence | None,
    options: LongMemEvalOptions,
    *,
    parts: int = 1,
) -> LongMemEvalQuestion:
    """`failure` is what the agent raised. `parts` is how many of the reference are judged by themselves."""
    row = file.row if file else None
    status = _status(row)
    answer = file.answer.text if file and file.answer else None
    calls = (row.judge_calls or 0) if row else 0
    primary = min(calls, parts)
    return LongMemEvalQuestion(
        question_id=key.entry.question_id,
        question_type=key.entry.question_type,
        abstention=key.entry.abstention,
        text=key.text,
        reference=key.reference,
        asked_on=f"{instant(key.asked_at):%Y-%m-%d}",
        answer_sessions=key.answer_sessions,
        answer=answer or None,
        status=status,
        correct=_counted(status, options.judge_failure_policy),
        judge=_judge(file, status, options.judge_evidence_mode),
        unscored=None if status in ("correct", "incorrect") else _unscored(row, failure),
        judge_primary_calls=primary,
        judge_retry_calls=calls - primary,
        latency_ms=None if row is None or row.search_micros is None else row.search_micros / 1000,
        prompt_tokens=(row.prompt_tokens or None) if row else None,
        evidence=evidence,
    )


def _status(row: QuestionRow | None) -> Status:
    """The benchmark's score is 0 or 1; what a grading rule leaves between is not right."""
    if row is None or row.outcome is None:
        return "agent_failure"
    if row.outcome == "unscored":
        return "inconclusive" if row.stage == "scoring" else "agent_failure"
    return "correct" if row.score == _FULL else "incorrect"


def _counted(status: Status, policy: JudgeFailurePolicy) -> bool | None:
    if status in ("correct", "incorrect"):
        return status == "correct"
    return False if status == "inconclusive" and policy == "retry_then_incorrect" else None


def _judge(file: QuestionFile | None, status: Status, mode: JudgeEvidenceMode) -> JudgeEvidence | None:
    if mode == "none" or status == "agent_failure":
        return None
    verdict = file.verdict if file else None
    raw = verdict.judge_reply if verdict and mode == "raw" else None
    return JudgeEvidence(
        outcome="no_verdict" if status == "inconclusive" else "correct" if status == "correct" else "incorrect",
        explanation=verdict.reason if verdict and mode in ("explanation", "raw") else None,
        raw=None if raw is None else raw[:RAW_LENGTH],
    )


def _unscored(row: QuestionRow | None, failure: str | None) -> Unscored:
    if row is None or row.outcome is None:
        return Unscored(stage="ingest", reason=NOT_ASKED, detail=failure or "the job ended before it was asked")
    detail = row.detail or ""
    return Unscored(
        stage=row.stage or "",
        reason=row.reason or "",
        detail=f"{failure} ({detail})" if failure and row.stage != "scoring" else detail,
    )
