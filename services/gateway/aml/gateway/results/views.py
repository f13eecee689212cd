"""What callers are answered. Times are UTC (RFC 3339); scores are in millionths, latencies in microseconds."""

from typing import Literal

from msgspec import Struct

from aml.contracts.benchmark import Gold
from aml.contracts.packs import AnswerRecord, VerdictRecord
from aml.contracts.participant import AttemptLog, Memory
from aml.contracts.seals import GateCheck, Interval, JobResult, RowSubject
from aml.contracts.vocabulary import Capability

Outcome = Literal["correct", "incorrect", "graded", "unscored"]


class CapabilityResult(Struct, frozen=True, kw_only=True):
    """Over all datasets: the categories of one capability that count."""

    capability: Capability
    planned: int
    scored: int
    score: int | None
    """None where nothing was scored."""
    interval: Interval | None


class DatasetMeasures(Struct, frozen=True, kw_only=True):
    """What the answers to a dataset's questions took. Percentiles by nearest rank; None where nothing was measured."""

    dataset: str
    searched: int
    search_p50: int | None
    search_p95: int | None
    search_p99: int | None
    answered: int
    answer_p50: int | None
    answer_p95: int | None
    context_tokens: int
    """Of all answers' prompts together."""
    context_tokens_mean: int | None
    context_tokens_p50: int | None
    context_tokens_p95: int | None
    returned_mean: int | None
    """Memories that a Search returned."""


class Results(Struct, frozen=True, kw_only=True):
    job_id: str
    gate: Literal["passed", "refused"]
    subject: RowSubject
    seal: str
    result: JobResult
    checks: tuple[GateCheck, ...]
    capabilities: tuple[CapabilityResult, ...] = ()
    measures: tuple[DatasetMeasures, ...] = ()


class QuestionRow(Struct, frozen=True, kw_only=True):
    unit: str
    dataset: str | None
    sample: str | None
    item: int | None
    category: str | None
    outcome: Outcome | None
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
    question: str | None = None
    """Its text; None where it was not asked for, or where the evidence cannot be read any more."""


class Questions(Struct, frozen=True, kw_only=True):
    total: int
    questions: tuple[QuestionRow, ...]


class QuestionText(Struct, frozen=True, kw_only=True):
    question_id: str
    text: str
    options: tuple[str, ...]
    category: str
    capability: Capability
    in_overall: bool
    asked_at: int | None
    """Unix milliseconds, in the dataset's own time."""


EvidenceState = Literal["kept", "destroyed", "corrupt", "unavailable"]
"""Destroyed: the texts are gone for good, and what is counted and measured stays. Unavailable: ask again later."""


class QuestionFile(Struct, frozen=True, kw_only=True):
    """All that is kept of one question. What the question never came to is None."""

    job_id: str
    row: QuestionRow
    evidence: EvidenceState
    question: QuestionText | None
    memories: tuple[Memory, ...] | None
    """What Search returned, in its order. The answer read the first `row.context_items` of them."""
    answer: AnswerRecord | None
    verdict: VerdictRecord | None
    """Where the release keeps its gold to itself, what would tell it is left out of the reason."""
    attempts: AttemptLog | None
    """The calls that failed last, where they are why the question has no outcome."""
    gold_shown: bool
    """Whether the release lets its right answers be read."""
    gold: Gold | None


class ChangedQuestion(Struct, frozen=True, kw_only=True):
    unit: str
    dataset: str | None
    sample: str | None
    item: int | None
    category: str | None
    before_outcome: Outcome | None
    before_score: int | None
    outcome: Outcome | None
    score: int | None
    question: str | None = None


class McNemarView(Struct, frozen=True, kw_only=True):
    """The exact paired test on the questions that both runs answered right or wrong."""

    pairs: int
    both_right: int
    only_before: int
    only_now: int
    both_wrong: int
    p_value: int
    """Two-sided, in millionths."""


class Comparison(Struct, frozen=True, kw_only=True):
    """`job_id` against the earlier run `with_job_id`, on the questions that both were asked."""

    job_id: str
    with_job_id: str
    datasets: tuple[str, ...]
    """Those of which both used the same bytes; no other one is compared."""
    same_release: bool
    """False: another release judged, and a change may be its doing."""
    common: int
    scored_in_both: int
    regressions: int
    improvements: int
    unscored_now: int
    """Scored before, and without an outcome now."""
    unscored_before: int
    mcnemar: McNemarView
    regressed: tuple[ChangedQuestion, ...]
    """A page of the regressions, the largest first."""
