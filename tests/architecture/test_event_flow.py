"""The choreography table says of each service which facts it states; its source says the same."""

import ast

import pytest
from tests.architecture.source_tree import ROOT

from aml.toolkit.event_flow import FLOWS, SERVICES, Service

EVENTS = {event_type.__name__: event_type for event_type in FLOWS}
STATED_IN_OTHER_WORDS = {
    "UnitParked": "the lane states it for every worker",
    "UnitRequeued": "the requeue rule states it for every worker",
    "JobFailed": "the rule of a participant's failure states it for ingest and retrieval",
    "JobRequested": "the gateway decodes it from the submission, which checks every field",
    "GatePassed": "the gatekeeper calls the class that its decision chose",
    "GateRefused": "the gatekeeper calls the class that its decision chose",
}


def constructed(service: Service) -> set[str]:
    """Events that the service's source builds: calls with `at=`, which no `case` pattern has."""
    found = set()
    for path in (ROOT / "services" / service / "aml").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and any(keyword.arg == "at" for keyword in node.keywords):
                name = getattr(node.func, "id", None) or getattr(node.func, "attr", "")
                found |= {name} & EVENTS.keys()
    return found


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_states_only_what_the_table_gives_it(service: Service) -> None:
    stray = {name for name in constructed(service) if service not in FLOWS[EVENTS[name]].states}
    assert stray == set()


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_states_all_that_the_table_gives_it(service: Service) -> None:
    given = {name for name, event_type in EVENTS.items() if service in FLOWS[event_type].states}
    missing = given - constructed(service) - STATED_IN_OTHER_WORDS.keys()
    assert missing == set()
