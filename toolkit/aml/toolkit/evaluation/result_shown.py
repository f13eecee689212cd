"""A job's result as programs read it from `--json`: scores 0–100, latencies in milliseconds, denominators first. Pure."""

from msgspec import Struct

from aml.contracts.seals import DatasetResult, Interval, JobResult, Latencies, Tally

Bounds = tuple[float, float]
"""The 95 % interval's ends, 0–100."""


class TallyShown(Struct, frozen=True, kw_only=True):
    """`planned = scored + unscored`, `scored = correct + incorrect`.

    A rule that grades (F1, a rubric) makes answers that are neither: they count as incorrect here, and `partial` says how
    many of the incorrect ones scored above 0. The score is the mean of what was scored, their parts included.
    """

    planned: int
    scored: int
    correct: int
    incorrect: int
    partial: int
    unscored: int
    score: float | None
    """None, never 0, when nothing was scored."""
    interval: Bounds | None


class CategoryShown(TallyShown, frozen=True, kw_only=True):
    capability: str
    in_overall: bool


class DatasetShown(TallyShown, frozen=True, kw_only=True):
    """The counts are of every planned question; `overall` is of those whose category counts towards Overall."""

    sha256: str
    overall: TallyShown
    categories: dict[str, CategoryShown]
    unscored_reasons: dict[str, int]
    evidence_recall: float | None
    """0–100: share of the gold evidence among the returned memories."""


class OverallShown(Struct, frozen=True, kw_only=True):
    score: float | None
    """None unless every planned question was scored."""
    interval: Bounds | None


class LatencyShown(Struct, frozen=True, kw_only=True):
    calls: int
    p50: float | None
    p95: float | None
    p99: float | None


class CallLatencies(Struct, frozen=True, kw_only=True):
    add: LatencyShown
    search: LatencyShown


class ResultShown(Struct, frozen=True, kw_only=True):
    overall: OverallShown
    datasets: dict[str, DatasetShown]
    latency_ms: CallLatencies
    retries: int
    context_tokens: int


def show_result(result: JobResult) -> ResultShown:
    return ResultShown(
        overall=OverallShown(score=percent(result.overall), interval=percents(result.interval)),
        datasets={dataset.name: _dataset(dataset) for dataset in result.datasets},
        latency_ms=CallLatencies(add=_latency(result.add), search=_latency(result.search)),
        retries=result.retries,
        context_tokens=result.context_tokens,
    )


def count_unscored(result: ResultShown) -> int:
    return sum(dataset.unscored for dataset in result.datasets.values())


def count_planned(result: ResultShown) -> int:
    return sum(dataset.planned for dataset in result.datasets.values())


def _dataset(result: DatasetResult) -> DatasetShown:
    whole = show_tally(result.all_questions)
    return DatasetShown(
        planned=whole.planned,
        scored=whole.scored,
        correct=whole.correct,
        incorrect=whole.incorrect,
        partial=whole.partial,
        unscored=whole.unscored,
        score=whole.score,
        interval=whole.interval,
        sha256=result.sha256,
        overall=show_tally(result.overall),
        categories={
            each.category: CategoryShown(
                planned=each.tally.planned,
                scored=each.tally.scored,
                correct=each.tally.correct,
                incorrect=each.tally.incorrect + each.tally.graded,
                partial=each.tally.graded,
                unscored=each.tally.unscored,
                score=percent(each.tally.score),
                interval=percents(each.tally.interval),
                capability=each.capability,
                in_overall=each.in_overall,
            )
            for each in result.categories
        },
        unscored_reasons={each.reason: each.questions for each in result.unscored},
        evidence_recall=percent(result.evidence_recall),
    )


def show_tally(tally: Tally) -> TallyShown:
    return TallyShown(
        planned=tally.planned,
        scored=tally.scored,
        correct=tally.correct,
        incorrect=tally.incorrect + tally.graded,
        partial=tally.graded,
        unscored=tally.unscored,
        score=percent(tally.score),
        interval=percents(tally.interval),
    )


def percent(millionths: int | None) -> float | None:
    return None if millionths is None else millionths / 10_000


def percents(interval: Interval | None) -> Bounds | None:
    return None if interval is None else (interval.low / 10_000, interval.high / 10_000)


def _latency(latencies: Latencies) -> LatencyShown:
    return LatencyShown(
        calls=latencies.calls,
        p50=milliseconds(latencies.p50),
        p95=milliseconds(latencies.p95),
        p99=milliseconds(latencies.p99),
    )


def milliseconds(micros: int | None) -> float | None:
    return None if micros is None else micros / 1000
