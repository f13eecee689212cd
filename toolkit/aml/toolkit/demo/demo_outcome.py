"""The whole outcome of `aml demo`, as `--json` writes it. Pure."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from aml.contracts.boards import BoardRow
from aml.gateway.results.views import Results
from aml.toolkit.evaluation.log_reader import CheckpointShown
from aml.toolkit.evaluation.result_shown import CallLatencies, DatasetShown, OverallShown, ResultShown, show_result
from aml.toolkit.evaluation.run_outcome import GateShown, show_gate

from .cast import SYSTEMS
from .take_audit import AuditTaken
from .verify_board import Verification
from .walk import Walked


class JobIds(Struct, frozen=True, kw_only=True):
    smoke: str | None
    full: str


class BoardPlace(Struct, frozen=True, kw_only=True):
    rank: int
    """Within its division."""
    log_index: int


class SystemOutcome(Struct, frozen=True, kw_only=True):
    version: str
    version_id: str
    access_id: str | None
    division: str
    arm: str
    jobs: JobIds
    datasets: dict[str, DatasetShown]
    overall: OverallShown
    latency_ms: CallLatencies
    retries: int
    context_tokens: int
    smoke: ResultShown | None
    gate: GateShown
    review: str
    board: BoardPlace | None


class BoardShown(Struct, frozen=True, kw_only=True):
    path: Path
    index: Path
    json: Path
    csv: Path
    version: int
    rows: int
    release_id: str


class StackShown(Struct, frozen=True, kw_only=True):
    home: Path
    portal: str | None
    """None when the stack was stopped at the end."""
    kept: bool


class DemoOutcome(Struct, frozen=True, kw_only=True):
    complete: bool
    problems: tuple[str, ...]
    seconds: float
    systems: dict[str, SystemOutcome]
    board: BoardShown
    checkpoint: CheckpointShown
    verified: tuple[Verification, ...]
    audit: AuditTaken
    stack: StackShown


def system_outcome(walked: Walked, row: BoardRow | None) -> SystemOutcome:
    shown = show_result(walked.full.result)
    subject = walked.full.subject
    return SystemOutcome(
        version=walked.version,
        version_id=walked.version_id,
        access_id=walked.access_id,
        division=subject.division,
        arm=subject.arm,
        jobs=JobIds(smoke=_job_of(walked.smoke), full=walked.full.job_id),
        datasets=shown.datasets,
        overall=shown.overall,
        latency_ms=shown.latency_ms,
        retries=shown.retries,
        context_tokens=shown.context_tokens,
        smoke=None if walked.smoke is None else show_result(walked.smoke.result),
        gate=show_gate(walked.full),
        review=walked.decision,
        board=None if row is None else BoardPlace(rank=row.rank, log_index=row.log.index),
    )


def find_problems(systems: Mapping[str, SystemOutcome], verified: Sequence[Verification]) -> tuple[str, ...]:
    """What is missing. Empty for a demo that did all that it promises."""
    problems = [f"{name} is missing" for name in SYSTEMS if name not in systems]
    for name, system in systems.items():
        if system.board is None:
            problems.append(f"{name} is not on the board")
        if system.overall.score is None:
            problems.append(f"{name} has no Overall")
        if system.gate.decision != "passed":
            problems.append(f"{name} was refused by the gate")
        if not system.datasets:
            problems.append(f"{name} has no dataset")
        problems += [
            f"{name}: {dataset.unscored} of {dataset.planned} questions of {title} are unscored"
            for title, dataset in system.datasets.items()
            if dataset.unscored or not dataset.planned
        ]
    problems += [f"not verified: {each.check}: {each.detail}" for each in verified if not each.passed]
    return tuple(problems)


def _job_of(results: Results | None) -> str | None:
    return None if results is None else results.job_id
