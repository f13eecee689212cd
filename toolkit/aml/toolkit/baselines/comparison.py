"""A result against a baseline: differences only where both measured the same thing with the same rules."""

from collections.abc import Mapping

from msgspec import Struct

from aml.toolkit.results.suite_result import SuiteResult

from .baseline import Baseline, baseline_of

MOVED_BY = 20.0
"""Points by which a single question must rise or fall to be listed: below that a graded judge's words decide."""


class CategoryDifference(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    category: str
    before: float | None
    now: float | None
    points: float | None
    """Now less before; None where either is errored."""
    overlapping: bool
    """The two intervals share a score, so the difference may be chance."""


class Comparison(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    label: str
    overall_points: float
    categories: tuple[CategoryDifference, ...]
    worse: tuple[str, ...]
    """Ids of questions that fell by 20 points or more, worst first."""
    better: tuple[str, ...]


class Incomparable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    label: str
    differences: tuple[str, ...]
    """What differs, one line each."""


def compare(result: SuiteResult, baseline: Baseline) -> Comparison | Incomparable:
    differences = [*result.provenance.differences(baseline.provenance)]
    differences += [f"{name} is incomplete" for name in _incomplete(result, baseline)]
    if differences:
        return Incomparable(label=baseline.label, differences=tuple(differences))
    before = {each.category: each for each in baseline.categories}
    now = baseline_of(result, "now").question_scores
    moves = {name: now[name] - score for name, score in baseline.question_scores.items() if name in now}
    return Comparison(
        label=baseline.label,
        overall_points=round(result.overall - baseline.overall, 2),
        categories=tuple(
            CategoryDifference(
                category=each.category,
                before=old.score,
                now=each.score,
                points=None if each.score is None or old.score is None else round(each.score - old.score, 2),
                overlapping=_overlap((each.low, each.high), (old.low, old.high)),
            )
            for each in result.categories
            if (old := before.get(each.category)) is not None
        ),
        worse=_farthest({name: by for name, by in moves.items() if by <= -MOVED_BY}),
        better=_farthest({name: by for name, by in moves.items() if by >= MOVED_BY}),
    )


def _farthest(moves: Mapping[str, float]) -> tuple[str, ...]:
    return tuple(sorted(moves, key=lambda name: (-abs(moves[name]), name)))


def _incomplete(result: SuiteResult, baseline: Baseline) -> list[str]:
    return ["this result"] * (not result.complete) + [f"the baseline {baseline.label}"] * (not baseline.complete)


def _overlap(one: tuple[float | None, float | None], other: tuple[float | None, float | None]) -> bool:
    if one[0] is None or one[1] is None or other[0] is None or other[1] is None:
        return False
    return one[0] <= other[1] and other[0] <= one[1]
