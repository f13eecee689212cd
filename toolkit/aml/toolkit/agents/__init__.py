"""Agents as systems under test: what they are, how one's own becomes one, and how the platform reaches it."""

from .agent import Ability, Agent, HistoryTurn, SamplingOutcome
from .as_agent import AgentFactory, as_agent
from .errors import AgentCannot, AgentError, AgentFailed, NotAnAgent
from .memory_system import MemorySystem, from_memory

__all__ = [
    "Ability",
    "Agent",
    "AgentCannot",
    "AgentError",
    "AgentFactory",
    "AgentFailed",
    "HistoryTurn",
    "MemorySystem",
    "NotAnAgent",
    "SamplingOutcome",
    "as_agent",
    "from_memory",
]
