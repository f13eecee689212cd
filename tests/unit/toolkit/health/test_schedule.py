"""When the next measurement is due."""

from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.toolkit.health import Schedule

ENDED = datetime(2026, 5, 4, 12, tzinfo=UTC)


@given(seed=st.integers(), jitter=st.floats(0, 1))
def test_a_wait_stays_within_the_jitter(seed: int, jitter: float) -> None:
    schedule = Schedule(every=timedelta(hours=10), jitter=jitter)
    wait = schedule.next_due(ENDED, failed=False, random=Random(seed)) - ENDED
    assert timedelta(hours=10) * (1 - jitter) - timedelta(seconds=1) <= wait
    assert wait <= timedelta(hours=10) * (1 + jitter) + timedelta(seconds=1)


def test_after_a_failure_it_is_tried_sooner_but_never_later() -> None:
    daily, quick = Schedule(jitter=0), Schedule(every=timedelta(minutes=1), jitter=0)
    assert daily.next_due(ENDED, failed=True, random=Random(0)) == ENDED + timedelta(minutes=15)
    assert quick.next_due(ENDED, failed=True, random=Random(0)) == ENDED + timedelta(minutes=1)


@pytest.mark.parametrize("wrong", [{"every": timedelta(0)}, {"after_failure": timedelta(0)}, {"jitter": 1.5}])
def test_a_schedule_that_never_waits_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"longer than nothing|give a share"):
        Schedule(**wrong)
