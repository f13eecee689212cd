"""When the next run is possible. One function for the gateway, which refuses early, and for whoever checks it later."""

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from aml.contracts.envelope import Count, Millis
from aml.contracts.release import Quotas
from aml.contracts.vocabulary import UnscoredReason

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS

PLATFORM_REASONS: frozenset[UnscoredReason] = frozenset({"model", "judge", "internal"})
"""What a participant's system cannot cause."""

QuotaMode = Literal["smoke", "full"]


class PastRun(Struct, frozen=True, kw_only=True):
    """An earlier run of one key and track under the release whose quotas apply. All times from one clock, the database's."""

    mode: QuotaMode
    requested_at: Millis
    first_add_at: Millis | None = None
    ended_at: Millis | None = None
    state: Literal["queued", "running", "completed", "failed", "cancelled"]
    failure: UnscoredReason | None = None
    unscored_by_platform: Count = 0
    cancelled_by_other: bool = False
    """Somebody else than its owner cancelled it."""


class QuotaExceeded(Exception):
    """`available_at` is Unix milliseconds; None when nothing is left under this release, however long one waits."""

    def __init__(self, *, mode: QuotaMode, used: int, limit: int, available_at: int | None) -> None:
        super().__init__(f"{used} of {limit} {mode} runs are used")
        self.mode = mode
        self.used = used
        self.limit = limit
        self.available_at = available_at


def costs_quota(run: PastRun) -> bool:
    """Free are: what was cancelled before its first Add or by the platform's own people, and what the platform itself broke."""
    if run.unscored_by_platform > 0:
        return False
    if run.state == "cancelled":
        return run.first_add_at is not None and not run.cancelled_by_other
    return run.failure not in PLATFORM_REASONS


class QuotaStanding(Struct, frozen=True, kw_only=True):
    """How much of a quota is used, and whether a run is possible now."""

    mode: QuotaMode
    used: Count
    limit: Count
    """Under the release, whatever the time."""
    used_in_hour: Count | None = None
    limit_in_hour: Count | None = None
    """None for a mode that is not counted by the hour."""
    available_at: Millis | None = None
    """When the next is possible; None where that is now, or never."""
    reason: Literal["hour_used", "interval", "all_used"] | None = None
    """Why not now; None where it is possible."""


def quota_standing(mode: QuotaMode, past: Iterable[PastRun], quotas: Quotas, now: Millis) -> QuotaStanding:
    """Says of the next run what `check_quota` would, and how much is used."""
    counted = [run for run in past if run.mode == mode and costs_quota(run)]
    smoke = mode == "smoke"
    limit = quotas.smoke_per_cycle if smoke else quotas.full_per_cycle
    in_hour = sum(run.requested_at > now - HOUR_MS for run in counted)
    available_at: int | None = None
    reason: Literal["hour_used", "interval", "all_used"] | None = None
    try:
        check_quota(mode, counted, quotas, now)
    except QuotaExceeded as exceeded:
        available_at = exceeded.available_at
        reason = "all_used" if len(counted) >= limit or available_at is None else "hour_used" if smoke else "interval"
    return QuotaStanding(
        mode=mode,
        used=len(counted),
        limit=limit,
        used_in_hour=in_hour if smoke else None,
        limit_in_hour=quotas.smoke_per_hour if smoke else None,
        available_at=available_at,
        reason=reason,
    )


def check_quota(mode: QuotaMode, past: Iterable[PastRun], quotas: Quotas, now: Millis) -> None:
    """Raises `QuotaExceeded`."""
    counted = sorted((run for run in past if run.mode == mode and costs_quota(run)), key=lambda run: run.requested_at)
    if mode == "smoke":
        _check_smoke(counted, quotas, now)
    else:
        _check_full(counted, quotas, now)


def _check_smoke(counted: list[PastRun], quotas: Quotas, now: int) -> None:
    _check_total("smoke", len(counted), quotas.smoke_per_cycle)
    within_hour = [run.requested_at for run in counted if run.requested_at > now - HOUR_MS]
    if len(within_hour) >= quotas.smoke_per_hour:
        # Possible again once so many have left the window that a place is free; never where the limit is 0.
        free_after = within_hour[-quotas.smoke_per_hour] + HOUR_MS if quotas.smoke_per_hour else None
        raise QuotaExceeded(mode="smoke", used=len(within_hour), limit=quotas.smoke_per_hour, available_at=free_after)


def _check_full(counted: list[PastRun], quotas: Quotas, now: int) -> None:
    _check_total("full", len(counted), quotas.full_per_cycle)
    # A run that failed by the participant's fault costs one of the two, but shows no result to wait for.
    completed = [run.ended_at for run in counted if run.state == "completed" and run.ended_at is not None]
    if completed and now < (available_at := max(completed) + quotas.full_interval_days * DAY_MS):
        raise QuotaExceeded(mode="full", used=len(counted), limit=quotas.full_per_cycle, available_at=available_at)


def _check_total(mode: QuotaMode, used: int, limit: int) -> None:
    if used >= limit:
        raise QuotaExceeded(mode=mode, used=used, limit=limit, available_at=None)
