"""What every scoring rule returns."""

from fractions import Fraction

from msgspec import UNSET, Struct, UnsetType

from aml.contracts.packs import FactVerdict, VerdictRecord
from aml.contracts.vocabulary import Outcome

FULL = 1_000_000


class RuleScore(Struct, frozen=True, kw_only=True):
    """`score` in millionths; `reason` is one line for a person."""

    score: int
    reason: str
    facts: tuple[FactVerdict, ...] | UnsetType = UNSET
    forbidden: tuple[str, ...] | UnsetType = UNSET


class Verdict(Struct, frozen=True, kw_only=True):
    """A scored question: what `AnswerScored` and its `VerdictRecord` need."""

    score: int
    outcome: Outcome
    rule: str
    reason: str
    judge_reply: str | None = None
    prompt_fingerprint: str | None = None
    model: str | None = None
    system_fingerprint: str | None = None
    primary_calls: int = 0
    retry_calls: int = 0
    facts: tuple[FactVerdict, ...] | UnsetType = UNSET
    forbidden: tuple[str, ...] | UnsetType = UNSET

    def as_record(self) -> VerdictRecord:
        return VerdictRecord(
            rule=self.rule,
            score=self.score,
            reason=self.reason,
            judge_reply=self.judge_reply,
            prompt_fingerprint=self.prompt_fingerprint,
            model=self.model,
            system_fingerprint=self.system_fingerprint or UNSET,
            facts=self.facts,
            forbidden=self.forbidden,
        )


def outcome_of(score: int) -> Outcome:
    if score == FULL:
        return "correct"
    return "graded" if score else "incorrect"


def passed(reason: str) -> RuleScore:
    return RuleScore(score=FULL, reason=reason)


def failed(reason: str) -> RuleScore:
    return RuleScore(score=0, reason=reason)


def millionths(share: Fraction) -> int:
    """Half up, in integers, so that every party rounds alike."""
    return (2 * FULL * share.numerator + share.denominator) // (2 * share.denominator)
