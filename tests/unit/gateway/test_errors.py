"""Refusals say what to do next, and every class of them has a status."""

from aml.gateway import errors
from aml.gateway.edge.http_errors import STATUS
from aml.gateway.errors import FieldsInvalid, QuotaRefused, Refused
from aml.rules.quota import QuotaExceeded


def test_a_quota_refusal_names_the_time_in_utc() -> None:
    refused = QuotaRefused(QuotaExceeded(mode="full", used=1, limit=2, available_at=1_790_000_000_000))

    assert refused.message == "1 of 2 full runs are used; the next is possible at 2026-09-21T14:13:20Z"
    assert refused.more["available_at"] == "2026-09-21T14:13:20Z"


def test_a_quota_that_is_used_up_says_so() -> None:
    refused = QuotaRefused(QuotaExceeded(mode="full", used=2, limit=2, available_at=None))

    assert refused.more["available_at"] is None
    assert "none is left" in refused.message


def test_fields_are_listed() -> None:
    assert FieldsInvalid({"a": "is odd"}).more == {"fields": [{"field": "a", "problem": "is odd"}]}


def test_every_refusal_has_a_status() -> None:
    kinds = {kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Refused)} - {Refused}

    assert kinds == set(STATUS)
