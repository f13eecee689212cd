"""Results that went alike, the most alike first; baselines and other questions are like nothing."""

import base64
import hashlib
from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec.structs import replace
from tests.factories.events import an_event

from aml.contracts.events import encode_event
from aml.contracts.seals import GatePassed, OutcomeSketch
from aml.gateway.review.review_queries import PassedRow
from aml.gateway.review.similar_results import find_similar, passed_result

WHEN = datetime(2026, 10, 1, tzinfo=UTC)


def a_sketch(marks: bytes, units: str = "a") -> OutcomeSketch:
    return OutcomeSketch(
        questions=len(marks),
        units=units * 64,
        exact=hashlib.sha256(marks).hexdigest(),
        marks=base64.b64encode(marks).decode(),
    )


def a_result(job_id: str, sketch: OutcomeSketch | None, *, days: int = 0, **subject: Any) -> PassedRow:
    passed = an_event(GatePassed)
    assert isinstance(passed, GatePassed)
    passed = replace(passed, job_id=job_id, sketch=sketch, subject=replace(passed.subject, **subject))
    return PassedRow(job_id=job_id, requested_at=WHEN + timedelta(days=days), event=encode_event(passed))


def test_the_most_alike_comes_first_then_the_earliest() -> None:
    mine = a_sketch(bytes(range(100)))
    others = [
        a_result("far", a_sketch(bytes(100))),
        a_result("late", mine, days=2),
        a_result("early", mine, days=1),
        a_result("near", a_sketch(bytes(range(99)) + b"\xff")),
    ]

    found = find_similar(passed_result(a_result("mine", mine).event), others, 10)

    assert [(each.row.job_id, each.likeness, each.exact) for each in found] == [
        ("early", 1_000_000, True),
        ("late", 1_000_000, True),
        ("near", 990_000, False),
        ("far", 10_000, False),
    ]
    assert len(find_similar(passed_result(a_result("mine", mine).event), others, 2)) == 2


def test_what_cannot_be_compared_is_left_out() -> None:
    mine = a_sketch(b"abcd")
    others = [
        a_result("baseline", mine, arm="no_memory"),
        a_result("other-questions", a_sketch(b"abcd", units="b")),
        a_result("no-sketch", None),
    ]

    assert find_similar(passed_result(a_result("mine", mine).event), others, 10) == []
    assert find_similar(passed_result(a_result("mine", None).event), [a_result("other", mine)], 10) == []
