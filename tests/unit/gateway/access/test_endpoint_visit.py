"""What is kept of a check of endpoints."""

from typing import Any

import pytest
from tests.factories.doctor_reports import a_check_report

from aml.gateway.access.bodies import Endpoints
from aml.gateway.access.endpoint_visit import check_of, finding_of, hosts_of, not_made, with_what_was_known
from aml.gateway.access.views import EndpointFinding


def found(**outcomes: bool | None) -> list[EndpointFinding]:
    return [EndpointFinding(name=name, passed=passed, detail="") for name, passed in outcomes.items()]


@pytest.mark.parametrize(
    ("outcomes", "passed"),
    [
        ({"reach": True, "health": True, "right_key": True, "add": True, "search": True}, True),
        ({"reach": True, "health": False, "right_key": True, "add": True, "search": True}, False),
        ({"reach": True, "health": True, "right_key": True, "add": True, "search": None}, False),
        ({"reach": False, "health": None, "right_key": None, "add": None, "search": None}, False),
        ({"reach": True, "health": True}, False),
        ({}, False),
    ],
)
def test_a_check_passes_where_all_that_matters_was_tried_and_good(outcomes: dict[str, Any], passed: bool) -> None:
    assert check_of(found(**outcomes), at_ms=0).passed is passed


def test_a_visit_without_the_key_takes_nothing_back_and_makes_nothing_good() -> None:
    good = check_of(found(reach=True, health=True, right_key=True, add=True, search=True), at_ms=0)
    bad_key = check_of(found(reach=True, health=True, right_key=False, add=None, search=None), at_ms=0)
    keyless = check_of(found(reach=True, health=True), at_ms=1000)

    assert with_what_was_known(keyless, good).passed
    assert not with_what_was_known(keyless, bad_key).passed
    assert not with_what_was_known(keyless, None).passed
    assert with_what_was_known(keyless, good).checked_at == keyless.checked_at


def test_what_is_found_now_counts_before_what_was_found_then() -> None:
    good = check_of(found(reach=True, health=True, right_key=True, add=True, search=True), at_ms=0)
    away = check_of(found(reach=False, health=None, right_key=None, add=None, search=None), at_ms=1)

    merged = with_what_was_known(away, good)

    assert not merged.passed
    assert sorted(finding.name for finding in merged.findings) == ["add", "health", "reach", "right_key", "search"]


def test_a_check_that_was_not_made_says_why() -> None:
    check = not_made("try again in 10 s", at_ms=0)

    assert not check.passed
    assert [(finding.name, finding.passed) for finding in check.findings] == [("turn", None)]
    assert "try again in 10 s" in check.findings[0].detail


def test_a_refused_address_is_not_shown() -> None:
    report = a_check_report(
        outcome="failed", code="address", finding="inner.example leads to 10.0.0.7, which is not public"
    )

    finding = finding_of(report)

    assert finding.passed is False
    assert "10.0.0.7" not in finding.detail


def test_hosts_are_those_that_are_called() -> None:
    endpoints = Endpoints(add_url="https://A.example/add", search_url="https://b.example:8443/s", health_url=None)

    assert hosts_of(endpoints) == {"a.example", "b.example"}
