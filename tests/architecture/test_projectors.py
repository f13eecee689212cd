"""A rebuild cannot send anything outward: a projector is no reactor, and what it is made of knows no bus."""

import inspect
import subprocess
import sys

import pytest

from aml.gateway.read_model.shadow import GatewayProjector
from aml.publisher.project_approvals import ApprovalsProjector

OUTWARD = {"nats", "faststream", "aiohttp", "httpx", "openai", "obstore", "aml.runtime.bus", "aml.runtime.publish_once"}
MODULES = (
    "aml.gateway.read_model.rebuild",
    "aml.gateway.read_model.shadow",
    "aml.gateway.read_model.fold",
    "aml.publisher.project_approvals",
)
PROJECTORS = (GatewayProjector, ApprovalsProjector)


@pytest.mark.parametrize("module", MODULES)
def test_what_a_projector_is_made_of_reaches_nothing_outside(module: str) -> None:
    code = f"import sys, {module}; print(*sorted({OUTWARD!r} & sys.modules.keys()))"
    asked = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert asked.stdout.split() == []


@pytest.mark.parametrize("projector", PROJECTORS)
def test_a_projector_cannot_be_registered_as_a_reactor(projector: type) -> None:
    """`react` takes a function of one event."""
    assert "__call__" not in vars(projector)
    assert all(inspect.iscoroutinefunction(vars(projector)[name]) for name in ("apply", "digest"))
