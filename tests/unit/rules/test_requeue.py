"""A failed unit is tried again later, a bounded number of times."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.factories.events import AT, an_event

from aml.contracts.release import RetryPolicy
from aml.contracts.units import QuestionOpened, UnitRequeued
from aml.rules.identity import subject_of
from aml.rules.requeue import DETAIL_LIMIT, decide_requeue

OPENED = an_event(QuestionOpened)


def requeued(policy: RetryPolicy, so_far: int, detail: str = "connection refused") -> UnitRequeued | None:
    return decide_requeue(
        OPENED,
        stage="retrieval",
        trigger=subject_of(OPENED),
        requeues_so_far=so_far,
        reason="transport",
        detail=detail,
        policy=policy,
        now_ms=AT,
    )


@pytest.mark.parametrize(("so_far", "wait_ms"), [(0, 5_000), (1, 15_000), (2, 30_000)])
def test_each_requeue_waits_as_the_release_says(so_far: int, wait_ms: int) -> None:
    event = requeued(RetryPolicy(), so_far)
    assert event is not None
    assert (event.requeue, event.not_before - AT) == (so_far + 1, wait_ms)


def test_after_the_last_requeue_there_is_none() -> None:
    assert requeued(RetryPolicy(requeues=3), 3) is None
    assert requeued(RetryPolicy(requeues=0), 0) is None


def test_a_requeue_points_at_what_the_stage_reacts_to() -> None:
    event = requeued(RetryPolicy(), 0)
    assert event is not None
    assert event.trigger == subject_of(OPENED)
    assert event.unit == f"{OPENED.unit}-retrieval-1"


def test_more_requeues_than_waits_repeat_the_last_wait() -> None:
    event = requeued(RetryPolicy(requeues=9, requeue_seconds=(1.0, 2.0)), 7)
    assert event is not None
    assert event.not_before == AT + 2_000


def test_no_waits_at_all_mean_at_once() -> None:
    event = requeued(RetryPolicy(requeues=1, requeue_seconds=()), 0)
    assert event is not None
    assert event.not_before == AT


@given(st.integers(0, 8), st.integers(0, 8))
def test_requeues_are_bounded_and_their_subjects_differ(limit: int, start: int) -> None:
    policy = RetryPolicy(requeues=limit)
    events = [event for so_far in range(start, 10) if (event := requeued(policy, so_far)) is not None]
    assert len(events) == max(0, limit - start)
    assert len({subject_of(event) for event in events}) == len(events)


def test_a_long_detail_is_cut() -> None:
    event = requeued(RetryPolicy(), 0, detail="x" * 10_000)
    assert event is not None
    assert len(event.detail) == DETAIL_LIMIT
