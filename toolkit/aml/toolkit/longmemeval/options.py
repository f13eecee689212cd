"""What a LongMemEval run can be asked for, checked as a whole when it is made: a contradiction is found before anything runs."""

from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct

from aml.ingest.benchmarks.longmemeval import TYPES

from .errors import OptionInvalid
from .option_types import require_types

QUESTION_TYPES: Final = tuple(TYPES)
"""The dataset's six, in its paper's order. Abstention is not one of them: it is told by the end of a question's id."""
MARKER_LENGTH: Final = 64
DEFAULT_SEED: Final = 42

AbstentionPolicy = Literal["as_sampled", "exclude", "only", "target_proportion"]
HistoryMode = Literal["auto", "text_blob", "structured_chat_history"]
TemporalGrounding = Literal["none", "timestamps_and_text", "timestamps_only"]
"""How an agent learns when a session was: from the text, from both, or from timestamps alone."""
JudgeFailurePolicy = Literal["retry_then_inconclusive", "retry_then_incorrect", "fail_run"]
VerdictProtocol = Literal["structured_json", "free_text"]
JudgeEvidenceMode = Literal["none", "outcome", "explanation", "raw"]
JudgeDecomposition = Literal["none", "per_predicate_all_must_hold", "per_predicate_majority"]
EvidenceCapture = Literal["none", "references", "full"]
RunProvenanceMode = Literal["none", "prompts_only", "full"]


class LongMemEvalOptions(Struct, frozen=True, kw_only=True):
    """Raises `OptionInvalid` when it is made. None for a judge's setting means: as the release says."""

    max_questions: Annotated[int, Meta(ge=1)] | None = None
    """None for all that the other options leave."""
    stratified_sampling: bool = True
    """In proportion to the types, at least one of each."""
    random_seed: int = DEFAULT_SEED
    """The same seed and dataset give the same questions on every machine. Repeating a run repeats its sample."""
    include_question_types: tuple[str, ...] | None = None
    abstention_policy: AbstentionPolicy = "as_sampled"
    abstention_target_proportion: Annotated[float, Meta(gt=0, le=1)] | None = None
    """With the policy `target_proportion` only: the wanted share of abstention questions."""

    history_injection_mode: HistoryMode = "auto"
    """auto: turn by turn where the agent can take that, else one text."""
    preserve_session_boundaries: bool = True
    include_timestamps: bool = True
    """Dates of sessions and of the question in the text. Without effect under `timestamps_only`, which takes them out."""
    synthetic_turn_marker: str | None = None
    """Put before every turn that is not the dataset's, so that a memory's contents can be told from our scaffolding."""
    temporal_grounding: TemporalGrounding = "none"

    judge_failure_policy: JudgeFailurePolicy = "retry_then_inconclusive"
    """retry_then_incorrect changes the figures that this run reports and never the ledger, where the question is unscored."""
    max_judge_retries: Annotated[int, Meta(ge=0, le=3)] | None = None
    judge_temperature: Annotated[float, Meta(ge=0, le=2)] | None = None
    judge_max_output_tokens: Annotated[int, Meta(ge=16, le=16_384)] | None = None
    """Includes what a reasoning model thinks; 30 tokens left such a judge without a single verdict."""
    judge_verdict_protocol: VerdictProtocol = "structured_json"
    judge_evidence_mode: JudgeEvidenceMode = "explanation"
    """What a result keeps of each verdict; the evidence store keeps all of it."""
    judge_decomposition: JudgeDecomposition = "none"

    answer_temperature: Annotated[float, Meta(ge=0, le=2)] | None = None
    answer_seed: Annotated[int, Meta(ge=0)] | None = None
    evidence_capture: EvidenceCapture = "none"
    """Of what a memory's Search returned: nothing, which sessions, or the texts too."""
    run_provenance: RunProvenanceMode = "prompts_only"
    """full also hashes the dataset's file."""

    def __post_init__(self) -> None:
        require_types(self)
        _require_sample(self)
        _require_history(self)

    @classmethod
    def of(cls, **given: Any) -> "LongMemEvalOptions":
        """As the constructor, and an unknown name is an `OptionInvalid` too."""
        for name in given:
            if name not in cls.__struct_fields__:
                raise OptionInvalid(name, f"there is no such option; known are {', '.join(cls.__struct_fields__)}")
        return cls(**given)

    @property
    def judge_is_set(self) -> tuple[str, ...]:
        """The options by which this run's judge differs from its release's."""
        changed = [name for name in _RELEASE_DEFAULTS if getattr(self, name) is not None]
        changed += [name for name, usual in _USUAL_JUDGE.items() if getattr(self, name) != usual]
        return tuple(changed)

    @property
    def dates_in_text(self) -> bool:
        return self.include_timestamps and self.temporal_grounding != "timestamps_only"


_RELEASE_DEFAULTS: Final = ("max_judge_retries", "judge_temperature", "judge_max_output_tokens")
_USUAL_JUDGE: Final = {"judge_verdict_protocol": "structured_json", "judge_decomposition": "none"}


def _require_sample(options: LongMemEvalOptions) -> None:
    types = options.include_question_types
    if types is not None:
        if not types:
            raise OptionInvalid("include_question_types", "is empty; name a type, or leave it out for all six")
        for name in types:
            if name not in TYPES:
                raise OptionInvalid("include_question_types", f"{name!r} is none of {', '.join(QUESTION_TYPES)}")
        if len(set(types)) != len(types):
            raise OptionInvalid("include_question_types", "names a type twice; name each once")
    targeted, share = options.abstention_policy == "target_proportion", options.abstention_target_proportion
    if targeted and share is None:
        problem = "is missing; abstention_policy='target_proportion' needs a share above 0 and up to 1"
        raise OptionInvalid("abstention_target_proportion", problem)
    if share is not None and not targeted:
        problem = (
            f"is {share:g}, which only abstention_policy='target_proportion' heeds; set that, or leave the share out"
        )
        raise OptionInvalid("abstention_target_proportion", problem)


def _require_history(options: LongMemEvalOptions) -> None:
    marker, grounding = options.synthetic_turn_marker, options.temporal_grounding
    blob = options.history_injection_mode == "text_blob"
    if marker is not None:
        if not marker.strip() or not marker.isprintable():
            raise OptionInvalid("synthetic_turn_marker", "must be visible text on one line, or left out")
        if len(marker) > MARKER_LENGTH:
            raise OptionInvalid("synthetic_turn_marker", f"has {len(marker)} characters; at most {MARKER_LENGTH}")
        if blob:
            problem = "marks turns, and history_injection_mode='text_blob' has none; choose structured_chat_history"
            raise OptionInvalid("synthetic_turn_marker", problem)
    if grounding != "none" and blob:
        problem = f"{grounding} needs turns that carry times, which history_injection_mode='text_blob' has not;"
        raise OptionInvalid("temporal_grounding", f"{problem} choose structured_chat_history")
    if grounding == "timestamps_and_text" and not options.include_timestamps:
        problem = "timestamps_and_text wants dates in the text, and include_timestamps is False; choose timestamps_only"
        raise OptionInvalid("temporal_grounding", problem)
