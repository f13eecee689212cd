"""The units of work of a job, from a planned sample to an answer."""

from .envelope import Count, EvidenceRef, Micros, Token, UnitFact
from .vocabulary import Stage, UnscoredReason


class SamplePlanned(
    UnitFact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="sample_planned.v1"
):
    """One conversation, which becomes one `user_id`. The three packs hold all that the later stages read of it."""

    dataset: Token
    sample_id: str
    user_id: str
    chunks: Count
    questions: Count
    chunk_pack: EvidenceRef
    """A `ChunkPack`: the Add requests in order."""
    question_pack: EvidenceRef
    """A `QuestionPack`: what Search and the answering model may see."""
    gold_pack: EvidenceRef
    """A `GoldPack`: what only the judge may see."""


class ChunkAdded(
    UnitFact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="chunk_added.v1"
):
    """The participant acknowledged one Add. Its body is item `index` of the sample's chunk pack."""

    sample: Token
    index: Count
    messages: Count
    attempts: Count
    latency: Micros
    """The last attempt's, from first byte sent to last byte read."""
    received: Count
    """Bytes of the last response's body."""
    attempt_log: EvidenceRef | None
    """An `AttemptLog`; None for a single attempt, which this fact describes whole: it ended at about `at`, with status 200."""


class SampleIngested(
    UnitFact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="sample_ingested.v1"
):
    """All chunks of the sample are acknowledged. `unit` is the sample's."""

    chunks: Count


class QuestionOpened(
    UnitFact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="question_opened.v1"
):
    """Item `index` of the sample's question pack may now be searched."""

    sample: Token
    index: Count
    dataset: Token


class SearchReturned(
    UnitFact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="search_returned.v1"
):
    sample: Token
    index: Count
    dataset: Token
    returned: Count
    memories: EvidenceRef
    """`tuple[Memory, ...]` in the participant's order."""
    attempts: Count
    """0 for a baseline arm, which calls nobody."""
    latency: Micros
    received: Count
    attempt_log: EvidenceRef | None
    """As for `ChunkAdded`."""


class AnswerGenerated(
    UnitFact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="answer_generated.v1"
):
    sample: Token
    index: Count
    dataset: Token
    answer: EvidenceRef
    """An `AnswerRecord`."""
    answerer: str
    context_items: Count
    """How many of the returned memories fitted into the answer's input, from the top."""
    prompt_tokens: Count
    completion_tokens: Count
    primary_calls: Count
    retry_calls: Count
    system_fingerprint: str | None
    latency: Micros
    """Of the answerer alone: reading memories and keeping the answer are not in it."""


class UnitRequeued(
    UnitFact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="unit_requeued.v1"
):
    """A unit is to be tried again by `stage`, not before `not_before`. `unit` is `<unit>-<stage>-<requeue>`."""

    stage: Stage
    requeue: Count
    trigger: str
    """The subject of the event that the stage reacted to."""
    reason: UnscoredReason
    detail: str
    not_before: Count
    """Unix milliseconds."""
    attempt_log: EvidenceRef | None
    """An `AttemptLog` of the calls that failed, however few; None where no participant was called."""


class UnitParked(
    UnitFact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="unit_parked.v1"
):
    """A message that a stage cannot handle: its job cannot finish until an operator replays or cancels.

    `unit` is `<unit>-<stage>-<delivery>`.
    """

    stage: Stage
    trigger: str
    error: str
    """The error's type and first line, bounded."""
