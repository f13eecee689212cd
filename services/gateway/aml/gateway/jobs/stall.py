"""Whether a job comes on, and if it does not, why. Pure.

A call to a participant may take half an hour, so a silent job need not be a broken one: it says what it waits for.
"""

from typing import Final

from msgspec import Struct

from .job_queries import JobRow
from .views import StageName, Stall, StallReason

STALL_SECONDS: Final = 60.0
"""Without anything that brought the job on."""
FAR_BEHIND: Final = 1000
"""Events that wait to be read; fewer are read within a second."""

_OF_PARTICIPANT: Final = ("transport", "contract", "authentication", "limit")


class Pulse(Struct, frozen=True, kw_only=True):
    """How the platform itself does, as this process sees it."""

    broker_away: bool = False
    waiting_to_leave: int = 0
    """Own events that the broker has not stored yet."""
    waiting_to_be_read: int = 0
    """Events that the read model does not show yet."""
    reading_stopped: str | None = None


def seconds_without_progress(row: JobRow) -> float:
    """0 for a job that is over."""
    if row.gate is not None or (row.state == "cancelled" and row.sealed):
        return 0.0
    since = row.moved_at or row.requested_at
    if row.ended_at is not None:
        since = max(since, row.ended_at)
    return max(0.0, (row.now - since).total_seconds())


def seems_stalled(row: JobRow) -> bool:
    return bool(row.parked_now) or seconds_without_progress(row) >= STALL_SECONDS


def stall_of(row: JobRow, stage: StageName, pulse: Pulse) -> Stall | None:
    """None for a job that comes on, or that is over."""
    if not seems_stalled(row):
        return None
    reason, why = _why(row, stage, pulse)
    return Stall(since_seconds=round(seconds_without_progress(row), 1), stage=stage, reason=reason, why=why)


def _why(row: JobRow, stage: StageName, pulse: Pulse) -> tuple[StallReason, str]:
    if pulse.broker_away:
        return "broker_away", "the platform's message broker is not reachable; the job goes on when it is back"
    if pulse.reading_stopped is not None:
        return "reading_stopped", "what is shown here is old: the platform stopped reading events; its operator is told"
    if pulse.waiting_to_be_read > FAR_BEHIND:
        waiting = f"{pulse.waiting_to_be_read:,} events wait to be shown"
        return "reading_behind", f"what is shown here is behind: {waiting}; the job itself may be further"
    if row.parked_now and row.state in ("queued", "running"):
        units = "one unit is" if row.parked_now == 1 else f"{row.parked_now} units are"
        return "parked", f"{units} parked after an unforeseen error; resume drives them again"
    if row.state not in ("queued", "running"):
        return "not_sealed", "all work has ended; the ledger has not sealed the job yet"
    if row.planned_at is None:
        if pulse.waiting_to_leave:
            return "not_handed_on", "the order waits to be handed to the broker"
        place = f", at place {row.queue_place} of the queue" if row.queue_place else ""
        return "not_started", f"no planner has taken the job yet{place}"
    if row.trouble_reason is not None and row.trouble_at is not None and _is_recent(row):
        at = f"{row.trouble_stage} met {row.trouble_reason}"
        said = f"{at}: {row.trouble_detail}" if row.trouble_detail else at
        if row.trouble_reason in _OF_PARTICIPANT:
            return "participant", f"your system does not answer as it should; the last call of {said}"
        return "platform", f"the platform's own part fails and is tried again; {said}"
    return "silent", f"{stage} waits and nothing was heard; a single call may take as long as the release allows"


def _is_recent(row: JobRow) -> bool:
    """Nothing that came on is newer than the trouble; both times are those of the batch that told them."""
    return row.moved_at is None or (row.trouble_at is not None and row.trouble_at >= row.moved_at)
