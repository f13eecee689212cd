"""What a suite holds, counted without compiling it: for `aml suite show`, and to say what a run will ask."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import get_args

from msgspec import Struct

from aml.contracts.vocabulary import JudgeType, Language

from .categories import Category, Difficulty
from .compilation import Pick
from .presets import Preset, PresetName


class CategorySummary(Struct, frozen=True, kw_only=True):
    category: Category
    weight: int
    """Hundredths of Overall."""
    scenarios: int
    samples: int
    """More than scenarios only in reach-back: one a depth."""
    questions: int
    difficulties: Mapping[Difficulty, int]
    """Scenarios a difficulty."""
    judges: Mapping[JudgeType, int]
    """Questions a judge type."""


class SuiteSummary(Struct, frozen=True, kw_only=True):
    suite: PresetName
    language: Language
    depths: tuple[int, ...]
    pressure_tokens: int
    samples: int
    questions: int
    categories: tuple[CategorySummary, ...]


def summarise(preset: Preset, picks: Sequence[Pick], language: Language) -> SuiteSummary:
    categories = tuple(
        _category(category, weight, [pick for pick in picks if pick.category == category])
        for category, weight in preset.weights.items()
    )
    return SuiteSummary(
        suite=preset.name,
        language=language,
        depths=preset.depths,
        pressure_tokens=preset.pressure_tokens,
        samples=len(picks),
        questions=sum(each.questions for each in categories),
        categories=categories,
    )


def _category(category: Category, weight: int, picks: Sequence[Pick]) -> CategorySummary:
    scenarios = {pick.scenario.id: pick.scenario for pick in picks}
    levels = Counter(scenario.difficulty for scenario in scenarios.values())
    judges = Counter(question.judge for pick in picks for question in pick.scenario.questions)
    return CategorySummary(
        category=category,
        weight=weight,
        scenarios=len(scenarios),
        samples=len(picks),
        questions=sum(judges.values()),
        difficulties={level: levels[level] for level in get_args(Difficulty) if levels[level]},
        judges={judge: judges[judge] for judge in get_args(JudgeType) if judges[judge]},
    )
