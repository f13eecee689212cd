"""The lane's decisions that need no broker."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.factories.events import AT, JOB, an_event

from aml.contracts.envelope import Token
from aml.contracts.events import encode_event
from aml.contracts.jobs import JobPlanned
from aml.contracts.units import QuestionOpened, UnitParked, UnitRequeued
from aml.rules.identity import subject_of
from aml.runtime.bus import delivery_count
from aml.runtime.lane import HEARTBEAT_SECONDS, RETRY_DELAY_SECONDS, parked_by
from aml.runtime.pull import ACK_WAIT_SECONDS

OPENED = an_event(QuestionOpened)


def parked(data: bytes, error: Exception, delivery: int = 1) -> UnitParked | None:
    return parked_by(data, "retrieval", delivery, error, AT)


def test_an_unforeseen_failure_becomes_a_fact_with_its_reason() -> None:
    found = parked(encode_event(OPENED), KeyError("sample\nTraceback …"))
    assert found is not None
    assert (found.job_id, found.stage, found.trigger) == (JOB, "retrieval", subject_of(OPENED))
    assert found.error.startswith("KeyError: ")
    assert "\n" not in found.error


def test_each_delivery_that_fails_is_a_fact_of_its_own() -> None:
    facts = [parked(encode_event(OPENED), KeyError(), delivery) for delivery in (1, 2)]
    assert all(facts)
    assert len({subject_of(fact) for fact in facts if fact is not None}) == 2


def test_a_requeue_that_fails_is_parked_under_the_trigger_that_it_points_at() -> None:
    requeued = an_event(UnitRequeued)
    found = parked(encode_event(requeued), ValueError("x"))
    assert found is not None
    assert found.trigger == requeued.trigger


@pytest.mark.parametrize("data", [b"", b"{", b'{"type":"unknown.v1"}', encode_event(an_event(JobPlanned))])
def test_what_is_no_unit_of_a_job_cannot_be_parked(data: bytes) -> None:
    assert parked(data, ValueError("x")) is None


@given(st.text())
def test_a_reason_is_bounded_and_one_line(message: str) -> None:
    found = parked(encode_event(OPENED), ValueError(message))
    assert found is not None
    assert len(found.error) <= 300
    assert len(found.error.splitlines()) == 1


def test_long_calls_beat_well_before_the_broker_gives_up_on_them() -> None:
    assert HEARTBEAT_SECONDS * 2 < ACK_WAIT_SECONDS
    assert list(RETRY_DELAY_SECONDS) == sorted(RETRY_DELAY_SECONDS)


@pytest.mark.parametrize(
    ("reply", "deliveries"),
    [
        ("$JS.ACK.AML.ingest-job-1.3.120.7.1780000000000000000.0", 3),
        ("$JS.ACK._.hash.AML.ingest-job-1.4.120.7.1780000000000000000.0.token", 4),
    ],
    ids=["9 tokens", "with domain and account"],
)
def test_the_number_of_deliveries_is_read_from_the_reply_subject(reply: str, deliveries: int) -> None:
    assert delivery_count(reply) == deliveries


def test_a_parked_units_name_is_still_a_token() -> None:
    found = parked(encode_event(OPENED), KeyError())
    assert found is not None
    assert msgspec.convert(found.unit, Token) == f"{OPENED.unit}-retrieval-1"
