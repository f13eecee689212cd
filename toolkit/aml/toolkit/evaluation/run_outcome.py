"""The whole outcome of `aml run`: what `--json` writes, and what the exit code follows from. Pure."""

from datetime import datetime

from msgspec import Struct

from aml.contracts.seals import GateCheck
from aml.gateway.jobs.views import Failure, Job
from aml.gateway.results.views import QuestionRow, Results

from .log_reader import CheckpointShown
from .result_shown import CallLatencies, DatasetShown, OverallShown, show_result
from .run_record import SystemShown


class RunShown(Struct, frozen=True, kw_only=True):
    job_id: str
    label: str
    mode: str
    state: str
    requested_at: datetime
    ended_at: datetime | None
    add_concurrency: int
    search_concurrency: int
    requeued: int
    failure: Failure | None


class ReleaseShown(Struct, frozen=True, kw_only=True):
    id: str
    digest: str


class GateShown(Struct, frozen=True, kw_only=True):
    decision: str
    """A run of one's own is `refused` for its mode; that is as it should be, since it is on no board."""
    seal: str
    checks: tuple[GateCheck, ...]


class UnscoredExample(Struct, frozen=True, kw_only=True):
    dataset: str | None
    category: str | None
    stage: str | None
    reason: str | None
    detail: str | None


class RunOutcome(Struct, frozen=True, kw_only=True):
    run: RunShown
    system: SystemShown
    release: ReleaseShown
    datasets: dict[str, DatasetShown]
    overall: OverallShown
    latency_ms: CallLatencies
    retries: int
    context_tokens: int
    unscored_examples: tuple[UnscoredExample, ...]
    gate: GateShown
    checkpoint: CheckpointShown | None

    @property
    def planned(self) -> int:
        return sum(dataset.planned for dataset in self.datasets.values())

    @property
    def unscored(self) -> int:
        return sum(dataset.unscored for dataset in self.datasets.values())


def run_outcome(
    job: Job,
    system: SystemShown,
    results: Results,
    *,
    unscored: tuple[QuestionRow, ...],
    checkpoint: CheckpointShown | None,
) -> RunOutcome:
    shown = show_result(results.result)
    return RunOutcome(
        run=RunShown(
            job_id=job.job_id,
            label=job.run_label,
            mode=job.mode,
            state=job.state,
            requested_at=job.requested_at,
            ended_at=job.ended_at,
            add_concurrency=job.add_concurrency,
            search_concurrency=job.search_concurrency,
            requeued=job.requeued,
            failure=job.failure,
        ),
        system=system,
        release=ReleaseShown(id=job.release_id, digest=job.release_digest),
        datasets=shown.datasets,
        overall=shown.overall,
        latency_ms=shown.latency_ms,
        retries=shown.retries,
        context_tokens=shown.context_tokens,
        unscored_examples=tuple(
            UnscoredExample(
                dataset=each.dataset, category=each.category, stage=each.stage, reason=each.reason, detail=each.detail
            )
            for each in unscored
        ),
        gate=show_gate(results),
        checkpoint=checkpoint,
    )


def show_gate(results: Results) -> GateShown:
    return GateShown(decision=results.gate, seal=results.seal, checks=results.checks)
