"""Which other results a result is like, by the sketches that the gate published with both. Pure."""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from aml.contracts.seals import OutcomeSketch, RowSubject
from aml.rules.outcome_sketch import sketch_likeness

from .review_queries import PassedRow


class _Overall(Struct, frozen=True):
    overall: int | None = None


class PassedResult(Struct, frozen=True):
    """Of a `GatePassed` what a comparison needs: the rest is not decoded."""

    subject: RowSubject
    sketch: OutcomeSketch | None
    result: _Overall


class Alike(Struct, frozen=True, kw_only=True):
    row: PassedRow
    passed: PassedResult
    likeness: int
    """Millionths."""
    exact: bool


def passed_result(event: bytes) -> PassedResult:
    return msgspec.json.decode(event, type=PassedResult)


def find_similar(this: PassedResult, others: Sequence[PassedRow], limit: int) -> list[Alike]:
    """The most alike first, then the earliest. Only participants': baseline arms are alike by design."""
    if this.sketch is None:
        return []
    found = []
    for row in others:
        passed = passed_result(row.event)
        if passed.sketch is None or passed.subject.arm != "participant":
            continue
        likeness = sketch_likeness(this.sketch, passed.sketch)
        if likeness is not None:
            exact = passed.sketch.exact == this.sketch.exact
            found.append(Alike(row=row, passed=passed, likeness=likeness, exact=exact))
    return sorted(found, key=lambda each: (-each.likeness, each.row.requested_at, each.row.job_id))[:limit]
