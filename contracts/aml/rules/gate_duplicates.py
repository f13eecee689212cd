"""The gate on results that are like an earlier one. It always passes: it shows the reviewer, and refuses nobody.

Codes: `ok`; `duplicate`, every question went exactly as in an earlier result; `near_duplicate`, almost every one did (the
release's `fair_play.duplicate_likeness`). Two versions that differ in nothing that matters are honest and alike.
"""

from collections.abc import Sequence

from msgspec import Struct

from aml.contracts.jobs import JobRequested
from aml.contracts.release import FairPlay, Release
from aml.contracts.seals import GateCheck, OutcomeSketch, RowSubject

from .gate_check import Finding, noted, passed
from .outcome_sketch import sketch_likeness

DUPLICATES = "duplicates"
"""The check's name: the only one that looks at other people's results."""
_SHOWN = 3


class EarlierPass(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A `GatePassed` of another job that the log already held when this job was sealed."""

    index: int
    job_id: str
    subject: RowSubject
    sketch: OutcomeSketch | None = None


def check_duplicates(
    request: JobRequested,
    request_index: int,
    sketch: OutcomeSketch | None,
    earlier: Sequence[EarlierPass],
    release: Release | None,
) -> list[GateCheck]:
    """Baseline arms are alike by design."""
    if request.arm != "participant":
        return []
    limit = (release.fair_play if release is not None else FairPlay()).duplicate_likeness
    expected = f"no earlier result with {limit} millionths of the questions gone exactly alike"
    likenesses = _likenesses(request, sketch, earlier)
    alike = [(likeness, each) for likeness, each in likenesses if likeness >= limit]
    if not alike:
        nearest = f", the nearest with {likenesses[0][0]}" if likenesses else ""
        found = f"{len(likenesses)} earlier results of these questions{nearest}"
        return [passed(DUPLICATES, expected, found, [likenesses[0][1].index if likenesses else request_index])]
    exact = any(
        each.sketch is not None and sketch is not None and each.sketch.exact == sketch.exact for _, each in alike
    )
    found = "; ".join(f"{likeness} as in {each.job_id}" for likeness, each in alike[:_SHOWN])
    code = "duplicate" if exact else "near_duplicate"
    return [noted(DUPLICATES, Finding(code, expected, found, [each.index for _, each in alike]))]


def _likenesses(
    request: JobRequested, sketch: OutcomeSketch | None, earlier: Sequence[EarlierPass]
) -> list[tuple[int, EarlierPass]]:
    """The most alike first, then the earliest."""
    found = [
        (likeness, each)
        for each in earlier
        if each.job_id != request.job_id
        and each.subject.release_digest == request.release_digest
        and sketch is not None
        and each.sketch is not None
        and (likeness := sketch_likeness(sketch, each.sketch)) is not None
    ]
    return sorted(found, key=lambda one: (-one[0], one[1].index))
