"""The closed lists of words that suites, scenarios, metrics and reports share."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from aml.contracts.vocabulary import Capability

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
