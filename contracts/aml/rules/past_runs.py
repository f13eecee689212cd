"""A key's earlier runs as the log tells them, for the gate to hold against the release's quotas."""

from collections.abc import Iterable

from msgspec.structs import replace

from aml.contracts.events import Event
from aml.contracts.jobs import JobCancelled, JobFailed, JobRequested
from aml.contracts.seals import GatePassed, GateRefused, JobResult, JobSealed
from aml.contracts.units import ChunkAdded

from .quota import PLATFORM_REASONS, PastRun


def past_runs(request: JobRequested, history: Iterable[Event]) -> tuple[PastRun, ...]:
    """The full runs that count beside `request`: same key, track and release, by a participant's own system.

    `history` are facts of other jobs in log order, from before the request.
    """
    runs: dict[str, PastRun] = {}
    for event in history:
        match event:
            case JobRequested() if _counts_beside(request, event):
                runs[event.job_id] = PastRun(mode="full", requested_at=event.at, state="running")
            case ChunkAdded() | JobFailed() | JobCancelled() | JobSealed() | GatePassed() | GateRefused():
                if (run := runs.get(event.job_id)) is not None:
                    runs[event.job_id] = _advanced(run, event, request.key_id)
            case _:
                continue
    return tuple(runs.values())


def _counts_beside(request: JobRequested, other: JobRequested) -> bool:
    return other.job_id != request.job_id and (other.key_id, other.track, other.release_id, other.mode, other.arm) == (
        request.key_id,
        request.track,
        request.release_id,
        "full",
        "participant",
    )


def _advanced(
    run: PastRun, event: ChunkAdded | JobFailed | JobCancelled | JobSealed | GatePassed | GateRefused, owner: str
) -> PastRun:
    match event:
        case ChunkAdded():
            return run if run.first_add_at is not None else replace(run, first_add_at=event.at)
        case JobFailed():
            return replace(run, state="failed", failure=event.reason)
        case JobCancelled():
            return replace(run, state="cancelled", cancelled_by_other=event.cancelled_by != owner)
        case JobSealed():
            return replace(run, state=event.state, ended_at=event.at)
        case GatePassed() | GateRefused():
            return replace(run, unscored_by_platform=_unscored_by_platform(event.result))


def _unscored_by_platform(result: JobResult) -> int:
    return sum(
        each.questions for dataset in result.datasets for each in dataset.unscored if each.reason in PLATFORM_REASONS
    )
