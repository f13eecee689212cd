"""The five suites: which categories with which weights, how deep reach-back goes, and how much is piled on top."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, get_args

from msgspec import Struct

from .categories import Category
from .errors import UnknownPreset

PresetName = Literal["quick", "standard", "full", "diagnostic", "overflow"]


class Preset(Struct, frozen=True, kw_only=True):
    name: PresetName
    weights: Mapping[Category, int]
    """Hundredths of Overall; they sum to 100. The order is that of reports."""
    depths: tuple[int, ...]
    """Reach-back: exchanges between the fact and the question; each scenario is asked once a depth."""
    pressure_tokens: int = 0
    """Small talk laid around each scenario until its history has this many tokens of `cl100k_base`."""
    scenarios_per_category: int | None = None
    """None for all. Where a history is long, fewer of them say as much for a fraction of the tokens."""


_STANDARD: Final[Mapping[Category, int]] = MappingProxyType(
    {
        "basic_retention": 16,
        "temporal_reasoning": 12,
        "noise_resilience": 12,
        "reach_back": 16,
        "fact_update": 12,
        "multi_topic": 10,
        "abstention": 10,
        "preference": 12,
    }
)
_FULL: Final[Mapping[Category, int]] = MappingProxyType(
    {
        "basic_retention": 10,
        "temporal_reasoning": 8,
        "noise_resilience": 8,
        "reach_back": 10,
        "fact_update": 7,
        "multi_topic": 7,
        "cross_session": 10,
        "reducer_fidelity": 10,
        "abstention": 8,
        "conflict_resolution": 7,
        "multi_session": 7,
        "preference": 8,
    }
)

PRESETS: Final[Mapping[PresetName, Preset]] = MappingProxyType(
    {
        preset.name: preset
        for preset in (
            Preset(
                name="quick",
                weights=MappingProxyType({"basic_retention": 40, "temporal_reasoning": 30, "noise_resilience": 30}),
                depths=(),
            ),
            Preset(name="standard", weights=_STANDARD, depths=(5, 10, 25, 50)),
            Preset(name="full", weights=_FULL, depths=(5, 10, 25, 50, 100)),
            Preset(
                name="diagnostic",
                weights=_FULL,
                depths=(5, 10, 25, 50, 100),
                pressure_tokens=50_000,
                scenarios_per_category=6,
            ),
            Preset(
                name="overflow",
                weights=_STANDARD,
                depths=(5, 10, 25, 50),
                pressure_tokens=192_000,
                scenarios_per_category=3,
            ),
        )
    }
)


def preset_named(name: str) -> Preset:
    """Raises `UnknownPreset`."""
    for known in get_args(PresetName):
        if name.lower() == known:
            return PRESETS[known]
    raise UnknownPreset(name, tuple(PRESETS))
