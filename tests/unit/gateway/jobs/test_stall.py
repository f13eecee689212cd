"""A job that does not come on says so, and why."""

from datetime import timedelta
from typing import Any

import pytest
from tests.factories.gateway_rows import NOW, a_row, a_running_row

from aml.gateway.jobs.job_view import job_view
from aml.gateway.jobs.stall import FAR_BEHIND, Pulse
from aml.gateway.jobs.views import Stall

LONG_AGO = NOW - timedelta(minutes=5)


def stall(pulse: Pulse | None = None, **changes: Any) -> Stall | None:
    row = a_running_row(**({"moved_at": LONG_AGO, "last_at": LONG_AGO} | changes))
    return job_view(row, pulse or Pulse()).stalled


def test_a_job_that_comes_on_or_is_over_has_not_stalled() -> None:
    assert stall(moved_at=NOW - timedelta(seconds=59)) is None
    assert stall(state="cancelled", sealed=True) is None
    assert stall(state="completed", gate="passed", ended_at=LONG_AGO) is None


def test_a_unit_that_is_only_tried_again_brings_nothing_on() -> None:
    found = stall(
        last_at=NOW, trouble_at=NOW, trouble_stage="retrieval", trouble_reason="transport", trouble_detail="refused"
    )

    assert found is not None
    assert (found.since_seconds, found.stage, found.reason) == (300.0, "retrieval", "participant")
    assert "transport" in found.why
    assert "refused" in found.why


@pytest.mark.parametrize(
    ("reason", "pulse", "changes"),
    [
        ("broker_away", Pulse(broker_away=True), {}),
        ("reading_stopped", Pulse(reading_stopped="stopped: unknown version"), {}),
        ("reading_behind", Pulse(waiting_to_be_read=FAR_BEHIND + 1), {}),
        ("parked", None, {"parked_now": 1, "moved_at": NOW}),
        ("silent", None, {}),
        ("platform", None, {"trouble_at": NOW, "trouble_reason": "model", "trouble_stage": "answer"}),
        ("silent", None, {"trouble_at": LONG_AGO - timedelta(minutes=1), "trouble_reason": "model"}),
        ("not_sealed", None, {"state": "failed", "ended_at": LONG_AGO}),
    ],
)
def test_the_reason_is_the_first_that_explains_it(reason: str, pulse: Pulse | None, changes: dict[str, Any]) -> None:
    found = stall(pulse, **changes)

    assert found is not None
    assert found.reason == reason


def test_a_queued_job_tells_whether_its_order_left() -> None:
    row = a_row(requested_at=LONG_AGO, queue_place=3)

    waiting, unsent = job_view(row).stalled, job_view(row, Pulse(waiting_to_leave=2)).stalled

    assert waiting is not None
    assert (waiting.reason, waiting.stage) == ("not_started", "queued")
    assert "place 3" in waiting.why
    assert unsent is not None
    assert unsent.reason == "not_handed_on"
