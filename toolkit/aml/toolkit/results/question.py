"""One question of a run, with all that a reader needs to see why it went as it did."""

from typing import Literal

from msgspec import Struct

CRITICAL_IMPORTANCE = 80
"""From this importance on a fact is critical."""


class FactRecord(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A fact that a right answer says, and whether this one did."""

    text: str
    importance: int
    """0 to 100."""
    said: bool

    @property
    def critical(self) -> bool:
        return self.importance >= CRITICAL_IMPORTANCE


class EvidenceSession(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A session that holds the answer, with the words that do."""

    session_id: str
    on: str | None
    """The session's day, ISO 8601; None where the source has no dates."""
    excerpt: str


class Unscored(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Why there is no score. Never a wrong answer."""

    stage: str
    reason: str
    detail: str


class QuestionRecord(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    question_id: str
    category: str
    scenario: str
    """The scenario's id; questions of one scenario share a history."""
    text: str
    judge: str
    """The type that the answer was scored by."""
    reference: str
    """The answer that was wanted."""
    difficulty: Literal["easy", "medium", "hard"] | None = None
    depth: int | None = None
    """Reach-back only: exchanges between the fact and the question."""
    asked_on: str | None = None
    """The day on which the question is asked, in the scenario's own time; ISO 8601."""
    answer: str | None = None
    """None where none was given."""
    score: float | None = None
    """0 to 100; None exactly where `unscored` says why."""
    reason: str = ""
    """The judge's."""
    unscored: Unscored | None = None
    facts: tuple[FactRecord, ...] = ()
    forbidden: tuple[str, ...] = ()
    """What the answer asserted and should not have."""
    evidence: tuple[EvidenceSession, ...] = ()
    latency_ms: float | None = None
    prompt_tokens: int | None = None
    repeat: int = 0
