"""Five axes from the categories that were scored. An axis without any is left out: nothing known is not nothing remembered."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from aml.toolkit.results.category import Axis, CategoryScore

from .scored_mean import mean

SUITE_AXES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "recall": ("basic_retention", "reach_back"),
        "resilience": ("noise_resilience", "reducer_fidelity"),
        "temporal": ("temporal_reasoning", "fact_update", "conflict_resolution"),
        "persistence": ("cross_session", "multi_session"),
        "organization": ("multi_topic", "abstention", "preference"),
    }
)

LONGMEMEVAL_AXES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "information_extraction": ("single-session-user", "single-session-assistant", "single-session-preference"),
        "multi_session": ("multi-session",),
        "temporal": ("temporal-reasoning",),
        "update": ("knowledge-update",),
        "abstention": ("abstention",),
    }
)


def axes_of(categories: Iterable[CategoryScore], axes: Mapping[str, tuple[str, ...]] = SUITE_AXES) -> tuple[Axis, ...]:
    scores = {each.category: each.score for each in categories if each.score is not None}
    found = []
    for name, members in axes.items():
        known = tuple(category for category in members if category in scores)
        value = mean([scores[category] for category in known])
        if value is not None:
            found.append(Axis(name=name, score=value, categories=known))
    return tuple(found)
