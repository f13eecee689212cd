"""The options of `aml longmemeval`, one for each of `LongMemEvalOptions` and of the oracle arm."""

from pathlib import Path
from typing import Annotated, Final

import typer

from .agent_options import option

_SAMPLE: Final = "Sample"
_HISTORY: Final = "History"
_JUDGE: Final = "Judge"
_ANSWER: Final = "Answers and provenance"

Dataset = Annotated[
    Path, typer.Option("--dataset", metavar="FILE", help="longmemeval_s_cleaned.json, or a file of its schema.")
]
Questions = Annotated[int | None, option("--max-questions", _SAMPLE, "Without it all.", min=1)]
Stratified = Annotated[bool, option("--stratified/--not-stratified", _SAMPLE, "In proportion to the types.")]
Seed = Annotated[int, option("--random-seed", _SAMPLE, "The same seed asks the same questions.")]
Types = Annotated[list[str] | None, option("--question-type", _SAMPLE, "Only this one. Repeatable.", metavar="TYPE")]
Abstention = Annotated[
    str, option("--abstention-policy", _SAMPLE, "as_sampled, exclude, only or target_proportion.", metavar="POLICY")
]
Share = Annotated[float | None, option("--abstention-target-proportion", _SAMPLE, "The wanted share, 0 to 1.")]
HistoryInjectionMode = Annotated[
    str, option("--history", _HISTORY, "auto, text_blob or structured_chat_history.", metavar="MODE")
]
PreserveSessionBoundaries = Annotated[
    bool, option("--session-boundaries/--no-session-boundaries", _HISTORY, "Tell where a session begins.")
]
IncludeTimestamps = Annotated[bool, option("--timestamps/--no-timestamps", _HISTORY, "Dates in the text.")]
SyntheticTurnMarker = Annotated[
    str | None, option("--synthetic-turn-marker", _HISTORY, "Before every turn of ours.", metavar="TEXT")
]
TemporalGrounding = Annotated[
    str, option("--temporal-grounding", _HISTORY, "none, timestamps_and_text, timestamps_only.", metavar="MODE")
]
JudgeFailurePolicy = Annotated[
    str,
    option(
        "--judge-failure-policy",
        _JUDGE,
        "retry_then_inconclusive, retry_then_incorrect or fail_run.",
        metavar="POLICY",
    ),
]
MaxJudgeRetries = Annotated[int | None, option("--max-judge-retries", _JUDGE, "0 to 3.")]
JudgeTemperature = Annotated[float | None, option("--judge-temperature", _JUDGE, "0 to 2.")]
JudgeMaxOutputTokens = Annotated[int | None, option("--judge-max-output-tokens", _JUDGE, "16 or more.")]
JudgeVerdictProtocol = Annotated[
    str, option("--judge-verdict-protocol", _JUDGE, "structured_json or free_text.", metavar="PROTOCOL")
]
JudgeEvidenceMode = Annotated[
    str, option("--judge-evidence", _JUDGE, "none, outcome, explanation or raw.", metavar="MODE")
]
JudgeDecomposition = Annotated[
    str,
    option(
        "--judge-decomposition",
        _JUDGE,
        "none, per_predicate_all_must_hold or per_predicate_majority.",
        metavar="MODE",
    ),
]
AnswerTemperature = Annotated[float | None, option("--answer-temperature", _ANSWER, "0 to 2.")]
AnswerSeed = Annotated[int | None, option("--answer-seed", _ANSWER, "0 or more.")]
EvidenceCapture = Annotated[str, option("--evidence", _ANSWER, "none, references or full.", metavar="MODE")]
RunProvenance = Annotated[str, option("--provenance", _ANSWER, "none, prompts_only or full.", metavar="MODE")]
Arm = Annotated[str, typer.Option("--arm", help="agent, oracle, or paired: both on the same questions.")]
DistractorSessions = Annotated[int, typer.Option("--distractor-sessions", min=0, help="Oracle arm.")]
GoldSessionFraction = Annotated[float, typer.Option("--gold-session-fraction", help="Oracle arm.")]
