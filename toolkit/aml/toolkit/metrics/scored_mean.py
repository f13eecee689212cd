"""The mean of what was scored, with its interval. What was not scored is in no mean."""

from collections.abc import Iterable, Sequence
from math import fsum

from aml.rules.intervals import wilson
from aml.toolkit.results.question import QuestionRecord

DIGITS = 4


def scored(records: Iterable[QuestionRecord]) -> list[QuestionRecord]:
    return [record for record in records if record.score is not None]


def mean(values: Sequence[float]) -> float | None:
    """Exact summation, so that the order of questions changes nothing; None for nothing."""
    return round(fsum(values) / len(values), DIGITS) if values else None


def mean_score(records: Iterable[QuestionRecord]) -> float | None:
    return mean([record.score for record in records if record.score is not None])


def interval(score: float | None, count: int) -> tuple[float | None, float | None]:
    """Wilson's with the mean for the proportion: for graded scores too wide rather than too narrow (`aml.rules.intervals`)."""
    if score is None or count == 0:
        return None, None
    found = wilson(min(count * 1_000_000, round(score * 10_000 * count)), count)
    return found.low / 10_000, found.high / 10_000
