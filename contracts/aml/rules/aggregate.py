"""What a job's facts add up to. Pure and exact: an auditor gets the same bytes from the same entries.

Denominators come from the plan, never from what happened to arrive. A question without a fact is unscored; a fact outside
the plan is not counted (the gate names it).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from aml.contracts.events import JobEvent
from aml.contracts.jobs import DatasetPlan, JobCancelled, JobFailed, JobPlanned, JobRequested
from aml.contracts.seals import CategoryResult, DatasetResult, Interval, JobResult, Latencies, ReasonCount, Tally
from aml.contracts.units import AnswerGenerated, ChunkAdded, SearchReturned
from aml.contracts.verdicts import AnswerScored, UnitUnscored
from aml.contracts.vocabulary import Capability, UnscoredReason

from .intervals import mean_millionths, weighted, wilson

DEFAULT_WEIGHT = 1
"""Of a dataset that the release does not name (mode `run`)."""


def aggregate(
    requested: JobRequested,
    planned: JobPlanned | None,
    facts: Iterable[JobEvent],
    weights: Mapping[str, int],
) -> JobResult:
    """`facts` in log order, up to the seal. `weights` by dataset name, from the release.

    Of two facts about one unit the first counts. `planned` is None for a job that failed before it had a plan: then nothing
    was planned, and nothing is counted.
    """
    seen = _read(facts)
    plans = planned.datasets if planned is not None else ()
    results = tuple(_dataset(plan, seen) for plan in plans)
    overall, interval = _overall(results, weights)
    return JobResult(
        overall=overall,
        interval=interval,
        datasets=results or tuple(_dataset(plan, seen) for plan in _without_plan(requested)),
        add=_latencies(seen.add),
        search=_latencies(seen.search),
        retries=seen.retries,
        context_tokens=seen.context_tokens,
    )


@dataclass
class _Category:
    capability: Capability | None = None
    in_overall: bool = False
    correct: int = 0
    incorrect: int = 0
    graded: int = 0
    total: int = 0
    reasons: Counter[UnscoredReason] = field(default_factory=Counter)

    @property
    def scored(self) -> int:
        return self.correct + self.incorrect + self.graded


@dataclass
class _Seen:
    categories: dict[tuple[str, str], _Category] = field(default_factory=dict)
    recalls: dict[str, list[int]] = field(default_factory=dict)
    ended: set[str] = field(default_factory=set)
    other_units: set[tuple[str, str]] = field(default_factory=set)
    add: list[int] = field(default_factory=list)
    search: list[int] = field(default_factory=list)
    retries: int = 0
    context_tokens: int = 0
    remaining: UnscoredReason | None = None
    """Why the questions without a fact have none."""

    def category(self, dataset: str, category: str) -> _Category:
        return self.categories.setdefault((dataset, category), _Category())

    def is_first(self, kind: str, unit: str) -> bool:
        if (kind, unit) in self.other_units:
            return False
        self.other_units.add((kind, unit))
        return True


def _read(facts: Iterable[JobEvent]) -> _Seen:
    seen = _Seen()
    for fact in facts:
        match fact:
            case AnswerScored() | UnitUnscored() if fact.unit not in seen.ended:
                seen.ended.add(fact.unit)
                _count_end(seen, fact)
            case ChunkAdded() if seen.is_first("add", fact.unit):
                _count_call(seen, seen.add, fact)
            case SearchReturned() if seen.is_first("search", fact.unit):
                _count_call(seen, seen.search, fact)
            case AnswerGenerated() if seen.is_first("answer", fact.unit):
                seen.context_tokens += fact.prompt_tokens
            case JobFailed() if seen.remaining is None:
                seen.remaining = fact.reason
            case JobCancelled() if seen.remaining is None:
                seen.remaining = "cancelled"
    return seen


def _count_end(seen: _Seen, fact: AnswerScored | UnitUnscored) -> None:
    category = seen.category(fact.dataset, fact.category)
    if isinstance(fact, UnitUnscored):
        category.reasons[fact.reason] += 1
        return
    category.capability = category.capability or fact.capability
    category.in_overall = category.in_overall or fact.in_overall
    category.total += fact.score
    match fact.outcome:
        case "correct":
            category.correct += 1
        case "incorrect":
            category.incorrect += 1
        case "graded":
            category.graded += 1
    if fact.evidence_recall is not None:
        seen.recalls.setdefault(fact.dataset, []).append(fact.evidence_recall)


def _count_call(seen: _Seen, latencies: list[int], fact: ChunkAdded | SearchReturned) -> None:
    if fact.attempts > 0:  # a baseline arm calls nobody
        latencies.append(fact.latency)
        seen.retries += fact.attempts - 1


def _dataset(plan: DatasetPlan, seen: _Seen) -> DatasetResult:
    reasons: Counter[UnscoredReason] = Counter()
    results: list[CategoryResult] = []
    parts: list[tuple[int, _Category, bool]] = []
    for count in plan.categories:
        category = seen.categories.get((plan.name, count.category), _Category())
        # A category of which nothing was scored has not said whether it counts; then it does, and Overall stays empty.
        in_overall = category.in_overall or category.scored == 0
        parts.append((count.questions, category, in_overall))
        reasons += category.reasons
        if missing := count.questions - category.scored - category.reasons.total():
            reasons[seen.remaining or "internal"] += max(0, missing)
        results.append(
            CategoryResult(
                category=count.category,
                capability=category.capability or "other",
                in_overall=in_overall,
                tally=_tally(count.questions, [category]),
            )
        )
    recalls = seen.recalls.get(plan.name)
    return DatasetResult(
        name=plan.name,
        sha256=plan.sha256,
        overall=_tally(sum(n for n, _, counts in parts if counts), [c for _, c, counts in parts if counts]),
        all_questions=_tally(sum(n for n, _, _ in parts), [c for _, c, _ in parts]),
        categories=tuple(results),
        unscored=tuple(ReasonCount(reason=reason, questions=n) for reason, n in sorted(reasons.items()) if n),
        evidence_recall=mean_millionths(sum(recalls), len(recalls)) if recalls else None,
    )


def _tally(planned: int, categories: Sequence[_Category]) -> Tally:
    scored = sum(category.scored for category in categories)
    total = sum(category.total for category in categories)
    return Tally(
        planned=planned,
        scored=scored,
        correct=sum(category.correct for category in categories),
        incorrect=sum(category.incorrect for category in categories),
        graded=sum(category.graded for category in categories),
        unscored=max(0, planned - scored),
        score=mean_millionths(total, scored) if scored else None,
        interval=wilson(total, scored) if scored else None,
    )


def _overall(results: Sequence[DatasetResult], weights: Mapping[str, int]) -> tuple[int | None, Interval | None]:
    if not results or any(result.all_questions.scored != result.all_questions.planned for result in results):
        return None, None
    parts = [
        (weight, result.overall.score, result.overall.interval)
        for result in results
        if result.overall.score is not None
        and result.overall.interval is not None
        and (weight := weights.get(result.name, DEFAULT_WEIGHT)) > 0
    ]
    if not parts:
        return None, None
    total = sum(weight * score for weight, score, _ in parts)
    return mean_millionths(total, sum(weight for weight, _, _ in parts)), weighted(parts)


def _latencies(calls: list[int]) -> Latencies:
    calls.sort()
    return Latencies(calls=len(calls), p50=_rank(calls, 50), p95=_rank(calls, 95), p99=_rank(calls, 99))


def _rank(ordered: Sequence[int], percent: int) -> int | None:
    """Nearest rank: the smallest value with at least `percent` of all values at or below it."""
    return ordered[-(-len(ordered) * percent // 100) - 1] if ordered else None


def _without_plan(requested: JobRequested) -> tuple[DatasetPlan, ...]:
    return tuple(
        DatasetPlan(
            name=pin.name,
            adapter=pin.adapter,
            version=pin.version,
            sha256=pin.sha256,
            samples=0,
            sessions=0,
            turns=0,
            chunks=0,
            questions=0,
            categories=(),
        )
        for pin in requested.datasets
    )
