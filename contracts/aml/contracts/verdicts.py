"""How a question ends: scored, or unscored with a reason. There is no third event and no default."""

from .envelope import Count, EvidenceRef, Millionths, Token, UnitFact
from .vocabulary import Capability, Outcome, Stage, UnscoredReason


class AnswerScored(
    UnitFact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="answer_scored.v1"
):
    sample: Token
    index: Count
    dataset: Token
    category: str
    capability: Capability
    outcome: Outcome
    score: Millionths
    in_overall: bool
    """False where the benchmark reports the category apart (LoCoMo's adversarial questions)."""
    rule: str
    """The scoring rule's name, as the release gives it for this question type."""
    verdict: EvidenceRef
    """A `VerdictRecord`."""
    evidence_recall: Millionths | None
    """Share of the gold evidence turns found among the returned memories; None where the question names none."""
    primary_calls: Count
    retry_calls: Count


class UnitUnscored(
    UnitFact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="unit_unscored.v1"
):
    sample: Token
    index: Count
    dataset: Token
    category: str
    stage: Stage
    reason: UnscoredReason
    detail: str
    attempts: Count
    attempt_log: EvidenceRef | None
    """An `AttemptLog` of the calls that failed last. An Add concerns all questions of its sample: it is kept with the first
    of them, so that no call is counted twice."""
