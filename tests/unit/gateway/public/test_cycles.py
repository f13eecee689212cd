"""A cycle's dates, to the second, by the database's clock; no cycle, no dates."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from aml.contracts.cycle import Cycle
from aml.gateway.errors import StateConflict
from aml.gateway.public.cycles import FullRunTimes, check_full_run, cycle_of_release, state_of
from aml.runtime.cycle_folder import load_cycles

SECOND = timedelta(seconds=1)


@pytest.fixture
def cycle() -> Cycle:
    found = load_cycles()[0]
    return replace(found, tracks=(replace(found.tracks[0], release_id="cycle-release"), *found.tracks[1:]))


def refusal(cycle: Cycle, times: FullRunTimes) -> str | None:
    try:
        check_full_run(cycle, times)
    except StateConflict as refused:
        return refused.reason
    return None


def test_a_refusal_says_the_dates(cycle: Cycle) -> None:
    with pytest.raises(StateConflict, match="until 2026-11-04 23:59 UTC") as refused:
        check_full_run(cycle, FullRunTimes(now=cycle.evaluation_closes_at + SECOND, applied_at=cycle.opens_at))

    assert refused.value.more["cycle_id"] == cycle.cycle_id
    assert refused.value.more["evaluation_closes_at"] == cycle.evaluation_closes_at.isoformat()


def test_full_runs_are_taken_between_opening_and_close(cycle: Cycle) -> None:
    applied = cycle.opens_at

    for now, expected in (
        (cycle.opens_at - SECOND, "cycle_not_open"),
        (cycle.opens_at, None),
        (cycle.evaluation_closes_at, None),
        (cycle.evaluation_closes_at + SECOND, "cycle_closed"),
    ):
        assert refusal(cycle, FullRunTimes(now=now, applied_at=applied)) == expected


def test_a_version_that_was_applied_for_too_late_runs_in_no_full(cycle: Cycle) -> None:
    now = cycle.evaluation_closes_at - SECOND

    assert refusal(cycle, FullRunTimes(now=now, applied_at=cycle.materials_close_at)) is None
    assert refusal(cycle, FullRunTimes(now=now, applied_at=cycle.materials_close_at + SECOND)) == "materials_late"


def test_a_release_without_a_cycle_is_never_closed(cycle: Cycle) -> None:
    assert cycle_of_release((cycle,), "practice") is None
    assert cycle_of_release((cycle,), "cycle-release") is cycle


def test_a_cycle_goes_through_its_states(cycle: Cycle) -> None:
    moments = (cycle.opens_at, cycle.materials_close_at, cycle.evaluation_closes_at)

    assert [state_of(cycle, moment.timestamp() + 1) for moment in moments] == [
        "open", "materials_closed", "evaluation_closed",
    ]  # fmt: skip
    assert state_of(cycle, cycle.opens_at.timestamp() - 1) == "announced"
