"""The closed lists of words that events, releases and boards share."""

from typing import Literal

Language = Literal["en", "zh"]
"""What pages, scripts, suites and calibration sets are written in."""

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

JudgeType = Literal[
    "standard",
    "temporal",
    "preference",
    "update",
    "synthesis",
    "counterfactual",
    "correction_chain",
    "specificity_attack",
    "abstention",
]
"""What a right answer is, where the gold names facts. It is the question's `question_type`, for which a release has a rule.

standard            the required facts, weighted by importance
temporal            the first required fact is a date or a number; a day, or one, more or less is right
preference          what the user likes is honoured, though the question does not name it
update              the value that holds now; one that was replaced is forbidden
synthesis           pieces of several turns, all of them needed
counterfactual      what would follow if something that was told were otherwise
correction_chain    the last of several corrections; each earlier value costs
specificity_attack  asks for more detail than was ever given: right is what is known, wrong is what was made up
abstention          nothing that was told answers it
"""
