"""What callers are answered. Times are UTC (RFC 3339); scores are in millionths, latencies in microseconds."""

from typing import Literal

from msgspec import Struct

from aml.contracts.seals import GateCheck, JobResult, RowSubject


class Results(Struct, frozen=True, kw_only=True):
    job_id: str
    gate: Literal["passed", "refused"]
    subject: RowSubject
    seal: str
    result: JobResult
    checks: tuple[GateCheck, ...]


class QuestionRow(Struct, frozen=True, kw_only=True):
    unit: str
    dataset: str | None
    sample: str | None
    item: int | None
    category: str | None
    outcome: Literal["correct", "incorrect", "graded", "unscored"] | None
    """None while the question is open."""
    score: int | None
    rule: str | None
    evidence_recall: int | None
    stage: str | None
    reason: str | None
    detail: str | None
    returned: int | None
    search_attempts: int | None
    search_micros: int | None
    context_items: int | None
    prompt_tokens: int | None
    answer_micros: int | None
    answer_calls: int | None
    judge_calls: int | None


class Questions(Struct, frozen=True, kw_only=True):
    total: int
    questions: tuple[QuestionRow, ...]
