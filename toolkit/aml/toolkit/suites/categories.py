"""The closed lists of words that suites, scenarios, metrics and reports share."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from aml.contracts.vocabulary import Capability

Language = Literal["en", "zh"]
Difficulty = Literal["easy", "medium", "hard"]

Category = Literal[
    "basic_retention",
    "temporal_reasoning",
    "noise_resilience",
    "reach_back",
    "fact_update",
    "multi_topic",
    "cross_session",
    "reducer_fidelity",
    "abstention",
    "conflict_resolution",
    "multi_session",
    "preference",
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
"""How an answer is scored; the release's scoring table has one rule a type, and the type is the question's `question_type`.

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

CAPABILITIES: Final[Mapping[Category, Capability]] = MappingProxyType(
    {
        "basic_retention": "fact_recall",
        "temporal_reasoning": "temporal",
        "noise_resilience": "fact_recall",
        "reach_back": "fact_recall",
        "fact_update": "knowledge_update",
        "multi_topic": "fact_recall",
        "cross_session": "multi_hop",
        "reducer_fidelity": "fact_recall",
        "abstention": "abstention",
        "conflict_resolution": "knowledge_update",
        "multi_session": "multi_hop",
        "preference": "preference",
    }
)
"""Under which capability of the platform a category is reported."""

CATEGORIES: Final[tuple[Category, ...]] = tuple(CAPABILITIES)
