"""What of a result is kept: its scores and what they were measured with, without anybody's answers."""

from msgspec import Struct

from aml.toolkit.results.category import Axis, CategoryScore
from aml.toolkit.results.provenance import Provenance
from aml.toolkit.results.suite_result import SuiteResult


class Baseline(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    label: str
    agent: str
    model: str | None
    started_at: str
    overall: float
    capability: float | None
    grade: str
    complete: bool
    categories: tuple[CategoryScore, ...]
    axes: tuple[Axis, ...]
    question_scores: dict[str, float]
    """Mean score by question id, of the scored ones: which questions got worse is more useful than by how much."""
    provenance: Provenance


def baseline_of(result: SuiteResult, label: str) -> Baseline:
    sums: dict[str, list[float]] = {}
    for question in result.questions:
        if question.score is not None:
            sums.setdefault(question.question_id, []).append(question.score)
    return Baseline(
        label=label,
        agent=result.agent,
        model=result.model,
        started_at=result.started_at,
        overall=result.overall,
        capability=result.capability,
        grade=result.grade,
        complete=result.complete,
        categories=result.categories,
        axes=result.axes,
        question_scores={name: round(sum(each) / len(each), 4) for name, each in sorted(sums.items())},
        provenance=result.provenance,
    )
