"""Runs against baselines and against each other: points where both measured the same thing, else what differs."""

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from aml.contracts.vocabulary import Outcome
from aml.rules.mcnemar import PairedRuns, paired_runs
from aml.toolkit.baselines.baseline import Baseline, baseline_of
from aml.toolkit.baselines.comparison import CategoryDifference, Comparison, compare
from aml.toolkit.results.category import PASSING
from aml.toolkit.results.provenance import Differing
from aml.toolkit.results.suite_result import SuiteResult

from .series import Series

_LEAST_REACH = 20.0


class Difference(Struct, frozen=True, kw_only=True):
    """`run` less `other`."""

    run: Series
    other: Series
    points: float | None
    """None where they may not be compared."""
    categories: tuple[CategoryDifference, ...]
    reach: float
    """Points of the widest bar."""
    worse: tuple[str, ...]
    """Ids of questions that fell by 20 points or more, worst first."""
    better: tuple[str, ...]
    pairs: PairedRuns
    """Of questions that both scored, right from 70 points on; `run` is the first."""
    differing: tuple[Differing, ...]
    incomplete: tuple[str, ...]
    """Names of those of the two that are incomplete."""


def differences(
    results: Sequence[SuiteResult], baselines: Sequence[Baseline], series: Sequence[Series]
) -> tuple[Difference, ...]:
    """Each run against each baseline. `series` holds the runs and then the baselines."""
    return tuple(
        _difference(result, baseline, run, other)
        for result, run in zip(results, series[: len(results)], strict=True)
        for baseline, other in zip(baselines, series[len(results) :], strict=True)
    )


def against_the_first(results: Sequence[SuiteResult], series: Sequence[Series]) -> tuple[Difference, ...]:
    """Each later run against the first one."""
    return tuple(
        _difference(result, baseline_of(results[0], series[0].name), run, series[0])
        for result, run in zip(results[1:], series[1 : len(results)], strict=True)
    )


def _difference(result: SuiteResult, baseline: Baseline, run: Series, other: Series) -> Difference:
    compared = compare(result, baseline)
    found = compared if isinstance(compared, Comparison) else None
    categories = found.categories if found else ()
    return Difference(
        run=run,
        other=other,
        points=found.overall_points if found else None,
        categories=categories,
        reach=max([_LEAST_REACH, *(abs(each.points) for each in categories if each.points is not None)]),
        worse=found.worse if found else (),
        better=found.better if found else (),
        pairs=_pairs(baseline_of(result, run.name).question_scores, baseline.question_scores),
        differing=() if found else result.provenance.differing(baseline.provenance),
        incomplete=tuple(each.name for each in (run, other) if not each.complete),
    )


def _pairs(mine: Mapping[str, float], theirs: Mapping[str, float]) -> PairedRuns:
    return paired_runs(Counter((_outcome(mine[name]), _outcome(theirs[name])) for name in mine if name in theirs))


def _outcome(score: float) -> Outcome:
    return "correct" if score >= PASSING else "incorrect"
