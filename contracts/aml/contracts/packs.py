"""Payloads that services hand to each other through the evidence store. Events carry only references to them."""

from msgspec import UNSET, Struct, UnsetType

from .benchmark import Gold, Question
from .envelope import Millionths
from .participant import AddRequest


class PlannedChunk(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    request: AddRequest
    turn_ids: tuple[str, ...]
    """`turn_ids[i]` is the benchmark turn of `request.messages[i]`."""


class ChunkPack(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    chunks: tuple[PlannedChunk, ...]


class QuestionPack(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    questions: tuple[Question, ...]
    units: tuple[str, ...]
    """`units[i]` is the unit token of `questions[i]`."""


class GoldPack(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    gold: tuple[Gold, ...]
    evidence_texts: tuple[tuple[str, ...], ...]
    """`evidence_texts[i]`: the contents of the turns that `gold[i].evidence` names."""


class AnswerRecord(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    text: str
    answerer: str
    model: str | None = None
    prompt_fingerprint: str | None = None
    """SHA-256 of the prompt template; None for an answerer without a prompt."""
    finish_reason: str | None = None


class FactVerdict(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    text: str
    importance: int
    said: bool


class VerdictRecord(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    rule: str
    score: Millionths
    reason: str
    judge_reply: str | None = None
    """The model's reply, word for word; None for a rule without a model."""
    prompt_fingerprint: str | None = None
    model: str | None = None
    system_fingerprint: str | UnsetType = UNSET
    """The build that the judge's provider named; several for a verdict in parts. Unset where it named none."""
    facts: tuple[FactVerdict, ...] | UnsetType = UNSET
    """For rules that grade by facts: each of them, and whether the answer asserts it."""
    forbidden: tuple[str, ...] | UnsetType = UNSET
    """What the answer asserts and should not."""
