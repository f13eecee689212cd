"""Benchmark records: what every dataset adapter produces, whatever the source's format."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from .envelope import Count, Millis
from .vocabulary import Capability


class Turn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    turn_id: str
    """The source's own id where it has one (LoCoMo `D1:3`), else `<session_id>:<position from 1>`."""
    role: str
    """`user` or `assistant`."""
    content: str
    timestamp: Millis | None = None
    """The dataset's time, read as UTC; None where the source has none. Never the wall clock."""


class Session(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    session_id: str
    turns: tuple[Turn, ...]


class Question(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What Search and the answering model may see. No field of it says what the right answer is."""

    question_id: str
    text: str
    question_type: str
    """Chooses the answer prompt and the scoring rule in the release. Never sent to a participant."""
    category: str
    """Reported under this name."""
    capability: Capability
    in_overall: bool = True
    options: tuple[str, ...] = ()
    """Choice texts in the order in which Search sends them; empty for an open question."""
    asked_at: Millis | None = None
    """When the question is asked, in the dataset's own time."""


class GoldFact(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing that a right answer says."""

    any: tuple[str, ...]
    """Ways to say it; one is enough."""
    importance: Annotated[int, Meta(ge=0, le=100)] = 100


class Gold(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What only the judge may see."""

    question_id: str
    answers: tuple[str, ...]
    """Acceptable answers; the first is the reference. For a choice question: the letters, e.g. `("C",)`."""
    abstention: bool = False
    """Right only if recognised as unanswerable."""
    evidence: tuple[str, ...] = ()
    """`turn_id`s of the turns that hold the answer; empty where the source names none."""
    rubric: tuple[str, ...] = ()
    facts: tuple[GoldFact, ...] | UnsetType = UNSET
    """For rules that grade by facts. Unset for datasets that name none: their bytes, and so their hashes, know no such field."""
    forbidden: tuple[tuple[str, ...], ...] | UnsetType = UNSET
    """What a right answer does not assert, each with its ways to say it."""


class Sample(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One conversation with its questions: one `user_id` for the participant. `gold[i]` belongs to `questions[i]`."""

    sample_id: str
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...]
    gold: tuple[Gold, ...]


class BundleCounts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    samples: Count
    sessions: Count
    turns: Count
    questions: Count
    categories: dict[str, int]
    """Questions a category, in the order of first appearance."""
