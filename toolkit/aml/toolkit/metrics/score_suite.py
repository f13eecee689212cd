"""From the questions of a run to the suite's result."""

from collections.abc import Iterable, Mapping, Sequence
from math import ceil, fsum, sqrt

from msgspec import Struct

from aml.toolkit.results.category import CategoryScore
from aml.toolkit.results.provenance import Provenance
from aml.toolkit.results.question import QuestionRecord
from aml.toolkit.results.suite_result import Latency, Spread, SuiteResult

from .category_score import score_category
from .grades import grade_of, stars_of
from .pentagon import SUITE_AXES, axes_of
from .scored_mean import DIGITS


class RunFacts(Struct, frozen=True, kw_only=True):
    """What is known of a run beside its questions."""

    agent: str
    suite: str
    started_at: str
    seconds: float
    model: str | None = None
    price_per_million_tokens: float | None = None


def score_suite(
    questions: Sequence[QuestionRecord],
    weights: Mapping[str, float],
    run: RunFacts,
    provenance: Provenance,
    *,
    axes: Mapping[str, tuple[str, ...]] = SUITE_AXES,
) -> SuiteResult:
    """`weights` are the suite's, by category, in the order of reports. Raises `ValueError` for a question of another category."""
    by_category = _by_category(questions, weights)
    categories = tuple(
        score_category(category, weights[category], records) for category, records in by_category.items() if records
    )
    overall = weighted_overall(categories, errored_as_zero=True) or 0.0
    low, high = overall_interval(categories)
    tokens = sum(question.prompt_tokens or 0 for question in questions)
    return SuiteResult(
        agent=run.agent,
        suite=run.suite,
        started_at=run.started_at,
        seconds=run.seconds,
        model=run.model,
        categories=categories,
        skipped=tuple(category for category, records in by_category.items() if not records),
        overall=overall,
        low=low,
        high=high,
        capability=weighted_overall(categories, errored_as_zero=False),
        grade=grade_of(overall),
        stars=stars_of(overall),
        complete=bool(questions) and all(question.score is not None for question in questions),
        axes=axes_of(categories, axes),
        latency=_latency(questions),
        tokens=tokens,
        cost=_cost(tokens, run.price_per_million_tokens),
        questions=tuple(questions),
        provenance=provenance,
        spread=_spread(questions, weights),
    )


def weighted_overall(categories: Iterable[CategoryScore], *, errored_as_zero: bool) -> float | None:
    """Weights are renormalised over what counts; None where nothing does."""
    counted = [each for each in categories if errored_as_zero or not each.errored]
    whole = fsum(each.weight for each in counted)
    if whole <= 0:
        return None
    return round(fsum(each.weight * (each.score or 0.0) for each in counted) / whole, DIGITS)


def overall_interval(categories: Iterable[CategoryScore]) -> tuple[float | None, float | None]:
    """MOVER (Zou and Donner 2008, Statistics in Medicine 27:1693) over the categories' intervals; None where one is errored."""
    counted = list(categories)
    whole = fsum(each.weight for each in counted)
    if whole <= 0:
        return None, None
    centre = below = above = 0.0
    for each in counted:
        if each.score is None or each.low is None or each.high is None:
            return None, None
        share = each.weight / whole
        centre += share * each.score
        below += (share * max(0.0, each.score - each.low)) ** 2
        above += (share * max(0.0, each.high - each.score)) ** 2
    return round(max(0.0, centre - sqrt(below)), DIGITS), round(min(100.0, centre + sqrt(above)), DIGITS)


def _by_category(questions: Iterable[QuestionRecord], categories: Iterable[str]) -> dict[str, list[QuestionRecord]]:
    found: dict[str, list[QuestionRecord]] = {category: [] for category in categories}
    for question in questions:
        if question.category not in found:
            raise ValueError(f"question {question.question_id} is of category {question.category}, which has no weight")
        found[question.category].append(question)
    return found


def _cost(tokens: int, price_per_million: float | None) -> float | None:
    return None if price_per_million is None else round(tokens * price_per_million / 1_000_000, 6)


def _latency(questions: Iterable[QuestionRecord]) -> Latency:
    known = sorted(question.latency_ms for question in questions if question.latency_ms is not None)

    def rank(percent: int) -> float | None:
        return known[ceil(percent * len(known) / 100) - 1] if known else None

    return Latency(answers=len(known), p50=rank(50), p95=rank(95))


def _spread(questions: Sequence[QuestionRecord], weights: Mapping[str, float]) -> Spread | None:
    repeats = sorted({question.repeat for question in questions})
    if len(repeats) < 2:
        return None
    found = tuple(_repeat_overall([each for each in questions if each.repeat == repeat], weights) for repeat in repeats)
    known = [value for value in found if value is not None]
    return Spread(overall=found, low=min(known, default=None), high=max(known, default=None))


def _repeat_overall(questions: Sequence[QuestionRecord], weights: Mapping[str, float]) -> float | None:
    categories = [
        score_category(category, weights[category], records)
        for category, records in _by_category(questions, weights).items()
        if records
    ]
    return weighted_overall(categories, errored_as_zero=True)
