"""The publication gate: one pure decision over a job's sealed entries, the same for the ledger and for any auditor.

Every check says what it expected, what it found, and which entries it looked at. `passed` is that all of them passed.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from aml.contracts.boards import ReviewDecided
from aml.contracts.calibration import JudgeCalibrated
from aml.contracts.jobs import JobPlanned, JobRequested
from aml.contracts.release import Release, ReleaseLocked
from aml.contracts.seals import GateCheck, GatePassed, JobResult, JobSealed, OutcomeSketch, RowSubject

from .aggregate import aggregate
from .entry import ReadEntry
from .gate_calibration import check_calibration
from .gate_chain import check_chain
from .gate_check import Finding, passed, refused
from .gate_contract import check_contract
from .gate_duplicates import EarlierPass, check_duplicates
from .gate_fair_play import check_fair_play
from .gate_questions import check_questions
from .outcome_sketch import sketch_of
from .past_runs import past_runs
from .quota import QuotaExceeded, check_quota

__all__ = [
    "BundleIncomplete",
    "EarlierPass",
    "GateBundle",
    "GateDecision",
    "Publication",
    "evaluate_gate",
    "publication_allowed",
    "row_subject",
    "weights_of",
]

_CLOCK_TOLERANCE_MS: Final = 60_000


class GateBundle(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that the gate may look at. Exported as it is, it gives the same decision anywhere."""

    entries: tuple[ReadEntry, ...]
    """Every entry of the job up to its seal, the seal included, in the order of the job's chain."""
    release: Release | None
    """The release whose id the job names; None where there is none."""
    locks: tuple[tuple[int, ReleaseLocked], ...]
    """Locks of that release with their entries' indices, from before the seal."""
    earlier: tuple[EarlierPass, ...]
    history: tuple[ReadEntry, ...] = ()
    """What the log held of the key's other jobs when this one was requested; see `past_runs`."""
    calibrations: tuple[tuple[int, JudgeCalibrated], ...] = ()
    """Of that release, with their entries' indices, from before the seal."""


class GateDecision(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    passed: bool
    subject: RowSubject
    seal: str
    result: JobResult
    checks: tuple[GateCheck, ...]
    sketch: OutcomeSketch | None


class BundleIncomplete(Exception):
    """There is no request or no seal among the entries: this is no finished job, so there is nothing to decide."""

    def __init__(self, missing: str) -> None:
        super().__init__(f"the job's entries hold no {missing}")
        self.missing = missing


def evaluate_gate(bundle: GateBundle) -> GateDecision:
    """Raises `BundleIncomplete`."""
    requested = _one(bundle.entries, JobRequested)
    sealed = _one(bundle.entries, JobSealed)
    request, seal = requested.event, sealed.event
    assert isinstance(request, JobRequested)
    assert isinstance(seal, JobSealed)
    inside = bundle.entries[: seal.entries]
    planned = next((each for each in inside if isinstance(each.event, JobPlanned)), None)
    plan = planned.event if planned is not None else None
    assert plan is None or isinstance(plan, JobPlanned)

    checks: list[GateCheck] = [_mode(request, requested.index)]
    checks += check_chain(bundle.entries, sealed, seal)
    checks += check_questions(inside, planned)
    checks += check_contract(request, planned, inside, bundle.release, bundle.locks, requested.index)
    checks += check_calibration(request, bundle.release, bundle.calibrations, requested.index)
    result = aggregate(request, plan, (each.event for each in inside), weights_of(bundle.release))  # type: ignore[misc]
    checks += [
        _has_score(result, (planned or requested).index),
        _unique(request, requested.index, bundle.earlier),
        _quota(request, requested.index, bundle),
    ]
    checks += check_fair_play(request, inside)
    sketch = sketch_of(each.event for each in inside)
    checks += check_duplicates(request, requested.index, sketch, bundle.earlier, bundle.release)
    return GateDecision(
        passed=all(check.passed for check in checks),
        subject=row_subject(request),
        seal=sealed.leaf,
        result=result,
        checks=tuple(checks),
        sketch=sketch,
    )


def weights_of(release: Release | None) -> dict[str, int]:
    if release is None:
        return {}
    return {dataset.name: dataset.weight for dataset in (*release.smoke_datasets, *release.datasets)}


def row_subject(request: JobRequested) -> RowSubject:
    return RowSubject(
        key_id=request.key_id,
        version_id=request.version_id,
        system=request.system,
        version=request.version,
        track=request.track,
        division=request.division,
        arm=request.arm,
        mode=request.mode,
        run_label=request.run_label,
        release_id=request.release_id,
        release_digest=request.release_digest,
        allow_private=request.allow_private,
    )


class Publication(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    allowed: bool
    code: str
    """`ok`, `not_reviewed`, `other_result_reviewed`, or the review's decision."""


def publication_allowed(gate: GatePassed, reviews: Iterable[ReviewDecided]) -> Publication:
    """The last decision about this job stands; it must approve, and it must be about this very result."""
    mine = sorted((each for each in reviews if each.job_id == gate.job_id), key=lambda each: each.number)
    if not mine:
        return Publication(allowed=False, code="not_reviewed")
    last = mine[-1]
    if last.seal != gate.seal:
        return Publication(allowed=False, code="other_result_reviewed")
    if last.decision != "approve":
        return Publication(allowed=False, code=last.decision)
    return Publication(allowed=True, code="ok")


def _mode(request: JobRequested, index: int) -> GateCheck:
    if request.mode == "full":
        return passed("mode", "full", request.mode, [index])
    return refused("mode", Finding("mode_not_full", "full", request.mode, [index]))


def _has_score(result: JobResult, index: int) -> GateCheck:
    """`index` is the plan's: what the scores are counted against."""
    text = "an overall score"
    if result.overall is not None:
        return passed("overall", text, f"{result.overall} millionths", [index])
    return refused("overall", Finding("no_overall", text, "none: not every planned question was scored", [index]))


def _unique(request: JobRequested, index: int, earlier: Sequence[EarlierPass]) -> GateCheck:
    """One result for a (version, arm) under one release: a baseline arm counts as a version of its own."""
    mine = (request.version_id, request.arm, request.release_digest)
    found = [each for each in earlier if each.job_id != request.job_id and _identity(each.subject) == mine]
    if not found:
        return passed("unique", "no earlier result", "none", [index])
    jobs = ", ".join(each.job_id for each in found[:3])
    return refused("unique", Finding("already_passed", "no earlier result", jobs, [each.index for each in found]))


def _quota(request: JobRequested, index: int, bundle: GateBundle) -> GateCheck:
    """The gateway refuses earlier and by its own clock, which may differ from the log's by some seconds."""
    if bundle.release is None or request.mode != "full" or request.arm != "participant":
        return passed("quota", "no quota applies", "no quota applies", [index])
    quotas = bundle.release.quotas
    expected = f"{quotas.full_per_cycle} runs, {quotas.full_interval_days} days apart"
    past = past_runs(request, (each.event for each in bundle.history))
    try:
        check_quota("full", past, quotas, request.at + _CLOCK_TOLERANCE_MS)
    except QuotaExceeded as error:
        return refused("quota", Finding("quota_exceeded", expected, str(error), [index]))
    return passed("quota", expected, f"{len(past)} runs before", [index])


def _identity(subject: RowSubject) -> tuple[str, str, str]:
    return subject.version_id, subject.arm, subject.release_digest


def _one(entries: Iterable[ReadEntry], kind: type) -> ReadEntry:
    for each in entries:
        if isinstance(each.event, kind):
            return each
    raise BundleIncomplete(kind.__name__)
