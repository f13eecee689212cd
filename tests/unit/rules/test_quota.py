"""Quotas: what costs one, what is free, and when the next is possible."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.contracts.release import Quotas
from aml.rules.quota import (
    DAY_MS,
    HOUR_MS,
    PLATFORM_REASONS,
    PastRun,
    QuotaExceeded,
    check_quota,
    costs_quota,
    quota_standing,
)

NOW = 1_800_000_000_000
STANDARD = Quotas()


def a_run(**changes: Any) -> PastRun:
    values: dict[str, Any] = {
        "mode": "full",
        "requested_at": NOW - 2 * DAY_MS,
        "first_add_at": NOW - 2 * DAY_MS + 1,
        "ended_at": NOW - DAY_MS,
        "state": "completed",
    }
    return PastRun(**(values | changes))


def refusal(mode: Any, past: list[PastRun], quotas: Quotas = STANDARD, now: int = NOW) -> QuotaExceeded | None:
    try:
        check_quota(mode, past, quotas, now)
    except QuotaExceeded as exceeded:
        return exceeded
    return None


def test_the_first_of_each_mode_is_free_to_start() -> None:
    assert refusal("smoke", []) is None
    assert refusal("full", []) is None


def test_the_second_full_unlocks_30_days_after_the_first_completed() -> None:
    past = [a_run(ended_at=NOW - 29 * DAY_MS)]

    refused = refusal("full", past)

    assert refused is not None
    assert (refused.used, refused.limit, refused.available_at) == (1, 2, NOW + DAY_MS)
    assert refusal("full", past, now=NOW + DAY_MS - 1) is not None
    assert refusal("full", past, now=NOW + DAY_MS) is None


def test_the_third_full_never_comes_under_this_release() -> None:
    past = [a_run(ended_at=NOW - 90 * DAY_MS), a_run(ended_at=NOW - 50 * DAY_MS)]

    refused = refusal("full", past)

    assert refused is not None
    assert (refused.used, refused.available_at) == (2, None)


def test_a_full_that_the_participant_broke_costs_one_but_asks_for_no_waiting() -> None:
    failed = a_run(state="failed", failure="contract")

    assert refusal("full", [failed]) is None
    assert refusal("full", [failed, failed]) is not None


def test_one_smoke_an_hour_from_the_last_request() -> None:
    smoke = a_run(mode="smoke", requested_at=NOW - HOUR_MS // 4)

    refused = refusal("smoke", [smoke])

    assert refused is not None
    assert refused.available_at == NOW + 3 * HOUR_MS // 4
    assert refusal("smoke", [smoke], now=NOW + 3 * HOUR_MS // 4) is None


def test_thirty_smokes_a_cycle() -> None:
    past = [a_run(mode="smoke", requested_at=NOW - (n + 2) * HOUR_MS) for n in range(30)]

    refused = refusal("smoke", past)

    assert refused is not None
    assert (refused.limit, refused.available_at) == (30, None)
    assert refusal("smoke", past[1:]) is None


@pytest.mark.parametrize(
    "free",
    [
        {"state": "cancelled", "first_add_at": None},
        {"state": "failed", "failure": "internal"},
        {"state": "failed", "failure": "model"},
        {"state": "completed", "unscored_by_platform": 1},
    ],
)
def test_what_the_platform_broke_and_what_never_began_is_free(free: dict[str, Any]) -> None:
    assert not costs_quota(a_run(**free))


@pytest.mark.parametrize(
    "paid",
    [
        {"state": "cancelled"},
        {"state": "failed", "failure": "transport"},
        {"state": "failed", "failure": "authentication"},
        {"state": "running", "ended_at": None},
        {"state": "queued", "ended_at": None, "first_add_at": None},
    ],
)
def test_everything_else_costs(paid: dict[str, Any]) -> None:
    assert costs_quota(a_run(**paid))


runs = st.lists(
    st.builds(
        PastRun,
        mode=st.sampled_from(["smoke", "full"]),
        requested_at=st.integers(NOW - 100 * DAY_MS, NOW),
        first_add_at=st.none() | st.just(NOW),
        ended_at=st.integers(NOW - 100 * DAY_MS, NOW),
        state=st.sampled_from(["completed", "failed", "cancelled"]),
        failure=st.none() | st.sampled_from(sorted(PLATFORM_REASONS | {"contract"})),
        unscored_by_platform=st.integers(0, 1),
    ),
    max_size=12,
)
quotas = st.builds(
    Quotas,
    smoke_per_hour=st.integers(0, 3),
    smoke_per_cycle=st.integers(0, 15),
    full_per_cycle=st.integers(0, 4),
    full_interval_days=st.integers(0, 40),
)


@given(mode=st.sampled_from(["smoke", "full"]), past=runs, quotas=quotas)
def test_waiting_until_the_promised_time_suffices_and_less_does_not(
    mode: Any, past: list[PastRun], quotas: Quotas
) -> None:
    refused = refusal(mode, past, quotas)
    if refused is None or refused.available_at is None:
        return
    assert refused.available_at > NOW
    assert refusal(mode, past, quotas, now=refused.available_at) is None
    assert refusal(mode, past, quotas, now=refused.available_at - 1) is not None


@given(mode=st.sampled_from(["smoke", "full"]), past=runs, quotas=quotas, seed=st.randoms())
def test_order_and_free_runs_do_not_matter(mode: Any, past: list[PastRun], quotas: Quotas, seed: Any) -> None:
    shuffled = [run for run in past if costs_quota(run)]
    seed.shuffle(shuffled)

    one, other = refusal(mode, past, quotas), refusal(mode, shuffled, quotas)

    assert (one and (one.used, one.available_at)) == (other and (other.used, other.available_at))


@given(
    st.lists(
        st.builds(
            a_run,
            mode=st.sampled_from(["smoke", "full"]),
            state=st.sampled_from(["completed", "failed", "cancelled"]),
            requested_at=st.integers(NOW - 40 * DAY_MS, NOW),
            ended_at=st.integers(NOW - 40 * DAY_MS, NOW),
        ),
        max_size=6,
    ),
    st.sampled_from(["smoke", "full"]),
)
def test_a_standing_says_what_an_order_would_be_told(past: list[PastRun], mode: Any) -> None:
    standing, refused = quota_standing(mode, past, STANDARD, NOW), refusal(mode, past)

    assert (standing.reason is None) == (refused is None)
    assert standing.used == sum(run.mode == mode and costs_quota(run) for run in past)
    if refused is not None:
        assert standing.available_at == refused.available_at
        assert (standing.reason == "all_used") == (refused.available_at is None)


def test_what_the_platforms_people_cancelled_costs_nothing() -> None:
    assert costs_quota(a_run(state="cancelled"))
    assert not costs_quota(a_run(state="cancelled", cancelled_by_other=True))
    assert not costs_quota(a_run(state="cancelled", unscored_by_platform=1))
