"""A job's results as a table: one line for the whole, and one for each dataset, category and capability. Pure."""

from collections.abc import Iterator

from aml.contracts.seals import Interval, Tally

from .csv_cells import csv_line
from .views import Results

MILLION = 1_000_000

HEADER = (
    *("scope", "dataset", "name", "capability", "in_overall"),
    *("planned", "scored", "correct", "incorrect", "graded", "unscored"),
    *("score", "low", "high"),
)


def result_lines(results: Results) -> Iterator[bytes]:
    """Scores and the ends of their 95 % intervals as shares of 1."""
    yield csv_line(HEADER)
    whole = results.result
    yield csv_line(("overall", None, None, None, None, *[None] * 6, *_score(whole.overall, whole.interval)))
    for dataset in whole.datasets:
        yield csv_line(("dataset", dataset.name, None, None, True, *_tally(dataset.overall)))
        for category in dataset.categories:
            yield csv_line(
                (
                    *("category", dataset.name, category.category, category.capability, category.in_overall),
                    *_tally(category.tally),
                )
            )
    for each in results.capabilities:
        counts = (each.planned, each.scored, None, None, None, each.planned - each.scored)
        yield csv_line(("capability", None, None, each.capability, True, *counts, *_score(each.score, each.interval)))


def _tally(tally: Tally) -> tuple[object, ...]:
    counts = (tally.planned, tally.scored, tally.correct, tally.incorrect, tally.graded, tally.unscored)
    return (*counts, *_score(tally.score, tally.interval))


def _score(score: int | None, interval: Interval | None) -> tuple[object, object, object]:
    return (
        None if score is None else f"{score / MILLION:.6f}",
        None if interval is None else f"{interval.low / MILLION:.6f}",
        None if interval is None else f"{interval.high / MILLION:.6f}",
    )
