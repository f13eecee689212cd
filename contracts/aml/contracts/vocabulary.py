"""The closed lists of words that events, releases and boards share."""

from typing import Literal

Track = Literal["textual", "multimodal", "coding"]
Division = Literal["open_source", "commercial", "baseline"]
"""`baseline` rows are the organiser's own arms; participants choose between the other two."""

Mode = Literal["smoke", "full", "run"]
"""`run` is an operator's or developer's own evaluation: private, any dataset, never on a board."""

Arm = Literal["participant", "no_memory", "full_context", "oracle"]
"""Where the answering model's memories come from: a participant's Search, nothing, everything, or the gold evidence."""

Stage = Literal["ingest", "retrieval", "answer", "scoring"]

UnscoredReason = Literal["transport", "contract", "authentication", "limit", "model", "judge", "internal", "cancelled"]
"""Why a question has no outcome. None of these is a wrong answer."""

JobState = Literal["completed", "failed", "cancelled"]

Outcome = Literal["correct", "incorrect", "graded"]
"""`graded` is a score strictly between 0 and 1, from a rule that grades; the others are 1 and 0."""

Capability = Literal[
    "fact_recall", "multi_hop", "temporal", "knowledge_update", "preference", "abstention", "open_domain", "other"
]
