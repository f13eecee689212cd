"""Which suite a test asks for, and of whom: the same order is run once a session, by whichever worker comes first."""

import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from msgspec import Struct, field

from aml.toolkit.agents.as_agent import as_agent
from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.suites.presets import preset_named

MARKER = "memory_suite"
_STRANGERS = frozenset({"stack", "home", "operator_key", "datasets", "keep_stack", "on_progress"})
"""Options of `Suite.run` that the plugin sets itself."""


class Order(Struct, frozen=True, kw_only=True):
    suite: str
    agent: str
    """Who is asked, told apart by name, model and type: agents that differ in other things need names that differ."""
    repeats: int
    options: Mapping[str, Any] = field(default_factory=dict)
    """As of `Suite.run`."""

    @property
    def key(self) -> str:
        content = msgspec.json.encode(self, order="sorted", enc_hook=str)
        return f"{self.suite}-{hashlib.sha256(content).hexdigest()[:16]}"


def order_of(node: pytest.Item, agent: Any, *, suite: str, repeats: int) -> Order:
    """The marker's word goes before the command line's. Raises `WrongUsage`, `NotAnAgent`, `UnknownPreset`."""
    marker = node.get_closest_marker(MARKER)
    given: dict[str, Any] = {} if marker is None else dict(marker.kwargs)
    named = given.pop("name", None)
    if marker is not None and marker.args:
        named, *more = marker.args
        if more:
            raise WrongUsage(MARKER, f"takes one name, not {len(marker.args)}; other options go by keyword")
    strange = sorted(_STRANGERS & given.keys())
    if strange:
        raise WrongUsage(MARKER, f"{strange[0]} is not a marker's to say; override the fixture aml_stack instead")
    return Order(
        suite=preset_named(named or suite).name,
        agent=_identity(node, agent),
        repeats=given.pop("repeats", repeats),
        options=given,
    )


def _identity(node: pytest.Item, agent: Any) -> str:
    system = as_agent(agent)
    kind = agent if hasattr(agent, "__qualname__") else type(agent)
    parts = [system.name, system.model or "", f"{kind.__module__}.{kind.__qualname__}", _parameter(node)]
    return "\n".join(parts)


def _parameter(node: pytest.Item) -> str:
    """Of a fixture memory_agent with `params`: the test's id holds it."""
    called = getattr(node, "callspec", None)
    return repr(called.params["memory_agent"]) if called is not None and "memory_agent" in called.params else ""
