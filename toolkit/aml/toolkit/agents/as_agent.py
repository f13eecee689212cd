"""Anything that can be asked, as an agent."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .agent import Agent
from .errors import NotAnAgent
from .memory_system import MemorySystem
from .wrapped_agent import WrappedAgent


@dataclass(frozen=True, kw_only=True)
class AgentFactory:
    """Makes agents with empty memories, so that several users have one each, and several may be asked at once."""

    make: Callable[[], Any]
    name: str | None = None
    model: str | None = None
    max_concurrency: int = 4


def as_agent(given: Any, *, name: str | None = None, max_concurrency: int | None = None) -> Agent | MemorySystem:
    """Of a callable `(message)`, with `history` or `at` where it takes them; of an object with `ask(message)` and what it
    has of `reset_session()`, `inject_history(turns)`, `set_sampling(temperature, seed)`, `forget()`, `fork()`; each sync or
    async; of an `AgentFactory`. An `Agent` or a `MemorySystem` is one already. Raises `NotAnAgent`.
    """
    if isinstance(given, Agent | MemorySystem):
        return given
    if isinstance(given, AgentFactory):
        made = given.make()
        if isinstance(made, Agent):
            raise NotAnAgent(given, "its agents need no factory; hand one of them over")
        return WrappedAgent(
            made,
            name=name or given.name,
            model=given.model,
            max_concurrency=max_concurrency or given.max_concurrency,
            make=given.make,
        )
    if isinstance(given, type):
        raise NotAnAgent(
            given, f"{given.__name__} is a class; give an instance, or AgentFactory(make={given.__name__})"
        )
    return WrappedAgent(given, name=name, max_concurrency=max_concurrency)
