"""A result by capability: the questions of every category that counts, pooled over the datasets."""

from collections.abc import Iterable

from msgspec import Struct

from aml.contracts.seals import Interval, JobResult, Tally
from aml.contracts.vocabulary import Capability

from .intervals import mean_millionths, wilson


class CapabilityScore(Struct, frozen=True, kw_only=True):
    capability: Capability
    planned: int
    scored: int
    score: int | None
    """Millionths; None where nothing was scored."""
    interval: Interval | None


def capability_scores(result: JobResult) -> tuple[CapabilityScore, ...]:
    """In alphabetic order, `other` last. A mean over questions: the datasets' weights are Overall's alone.

    A category's total is its mean times its count, so up to half a millionth a question is lost to rounding.
    """
    tallies: dict[Capability, list[Tally]] = {}
    for dataset in result.datasets:
        for category in dataset.categories:
            if category.in_overall:
                tallies.setdefault(category.capability, []).append(category.tally)
    return tuple(_pooled(name, tallies[name]) for name in sorted(tallies, key=lambda name: (name == "other", name)))


def _pooled(capability: Capability, tallies: Iterable[Tally]) -> CapabilityScore:
    tallies = list(tallies)
    scored = sum(each.scored for each in tallies)
    total = sum(each.scored * (each.score or 0) for each in tallies)
    return CapabilityScore(
        capability=capability,
        planned=sum(each.planned for each in tallies),
        scored=scored,
        score=mean_millionths(total, scored) if scored else None,
        interval=wilson(total, scored) if scored else None,
    )
