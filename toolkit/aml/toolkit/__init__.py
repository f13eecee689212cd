"""The memory-evaluation toolkit: an agent's memory, evaluated in one's own code on the platform's engine.

    from aml.toolkit import Suite

    result = await Suite.STANDARD.run(agent)
    result.should.have_retention_above(80, because="it plans from what it was told").have_no_hallucinations()

Names are handed on when they are first used (PEP 562), which is the one lazy import of the project: `import aml.toolkit` stands
at the top of a team's tests, also of those that evaluate nothing, and must cost them nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from .agents import Agent, AgentCannot, AgentFactory, HistoryTurn, MemorySystem, NotAnAgent, as_agent, from_memory
    from .agents.langgraph_graph import from_langgraph
    from .agents.openai_agents_sdk import from_openai_agents
    from .agents.openai_chat import OpenAIChatAgent
    from .agents.pydantic_ai_agent import from_pydantic_ai
    from .baselines import Baseline, BaselineStore
    from .health import MemoryHealthCheck
    from .longmemeval import LongMemEval, LongMemEvalOptions, OracleOptions
    from .results import MemoryAssertionError, QuestionRecord, SuiteResult
    from .suite_run.platform_access import RemoteStack
    from .suite_run.remember import Remembered, can_remember, can_remember_sync
    from .suite_run.run_progress import RunProgress
    from .suite_run.suite import Suite

_HOMES: Final = {
    "Agent": "agents",
    "AgentCannot": "agents",
    "AgentFactory": "agents",
    "Baseline": "baselines",
    "BaselineStore": "baselines",
    "HistoryTurn": "agents",
    "LongMemEval": "longmemeval",
    "LongMemEvalOptions": "longmemeval",
    "MemoryAssertionError": "results",
    "MemoryHealthCheck": "health",
    "MemorySystem": "agents",
    "NotAnAgent": "agents",
    "OpenAIChatAgent": "agents.openai_chat",
    "OracleOptions": "longmemeval",
    "QuestionRecord": "results",
    "RemoteStack": "suite_run.platform_access",
    "Remembered": "suite_run.remember",
    "RunProgress": "suite_run.run_progress",
    "Suite": "suite_run.suite",
    "SuiteResult": "results",
    "as_agent": "agents",
    "can_remember": "suite_run.remember",
    "can_remember_sync": "suite_run.remember",
    "from_langgraph": "agents.langgraph_graph",
    "from_memory": "agents",
    "from_openai_agents": "agents.openai_agents_sdk",
    "from_pydantic_ai": "agents.pydantic_ai_agent",
}
"""Public name to the module that it lives in."""

__all__ = [
    "Agent",
    "AgentCannot",
    "AgentFactory",
    "Baseline",
    "BaselineStore",
    "HistoryTurn",
    "LongMemEval",
    "LongMemEvalOptions",
    "MemoryAssertionError",
    "MemoryHealthCheck",
    "MemorySystem",
    "NotAnAgent",
    "OpenAIChatAgent",
    "OracleOptions",
    "QuestionRecord",
    "Remembered",
    "RemoteStack",
    "RunProgress",
    "Suite",
    "SuiteResult",
    "as_agent",
    "can_remember",
    "can_remember_sync",
    "from_langgraph",
    "from_memory",
    "from_openai_agents",
    "from_pydantic_ai",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
