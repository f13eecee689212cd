"""A compiled LangGraph graph over messages, as an agent.

A session is a thread. With a checkpointer the graph keeps the thread's messages; without one they are kept here and sent whole.
What the graph remembers beyond a thread (its store) is a user's: `user_id` stands in `configurable`, and a fork is another user.
"""

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from .agent import Agent, HistoryTurn
from .errors import AgentFailed, NotAnAgent


class LangGraphAgent(Agent):
    def __init__(
        self, graph: Any, *, name: str | None = None, max_concurrency: int = 4, as_node: str | None = None
    ) -> None:
        if not callable(getattr(graph, "ainvoke", None)) or not callable(getattr(graph, "aupdate_state", None)):
            raise NotAnAgent(graph, "it is no compiled graph; call compile() on the builder")
        self.name = name or str(getattr(graph, "name", None) or "langgraph")
        self.max_concurrency = max_concurrency
        self.abilities = frozenset({"inject_history", "reset_session", "forget", "fork"})
        self._graph = graph
        self._as_node = as_node
        self._keeps = bool(getattr(graph, "checkpointer", None))
        self._user = uuid.uuid4().hex
        self._thread = uuid.uuid4().hex
        self._messages: list[Any] = []

    async def ask(self, message: str, *, at: datetime | None = None) -> str | None:
        del at
        told = {"role": "user", "content": message}
        sent = [told] if self._keeps else [*self._messages, told]
        state = await self._graph.ainvoke({"messages": sent}, self._config())
        try:
            messages = list(state["messages"])
            last = messages[-1]
        except (TypeError, KeyError, IndexError):
            raise AgentFailed(
                "the graph's state has no messages; an agent's graph keeps them under `messages`"
            ) from None
        if not self._keeps:
            self._messages = messages
        return text_of(last.content)

    async def reset_session(self) -> None:
        self._thread = uuid.uuid4().hex
        self._messages = []

    async def inject_history(self, turns: Sequence[HistoryTurn]) -> None:
        await self.reset_session()
        messages = [{"role": turn.role, "content": turn.content} for turn in turns]
        if not self._keeps:
            self._messages = messages
        elif messages:
            await self._graph.aupdate_state(
                self._config(), {"messages": messages}, as_node=self._as_node or "__start__"
            )

    async def forget(self) -> None:
        self._user = uuid.uuid4().hex
        await self.reset_session()

    def fork(self) -> "LangGraphAgent":
        return LangGraphAgent(self._graph, name=self.name, max_concurrency=self.max_concurrency, as_node=self._as_node)

    def _config(self) -> dict[str, Any]:
        return {"configurable": {"thread_id": self._thread, "user_id": self._user}}


def text_of(content: Any) -> str:
    """Of a message's content: a text, or blocks of which those with a text are joined."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = (
            each if isinstance(each, str) else each.get("text") for each in content if isinstance(each, str | dict)
        )
        return "".join(part for part in parts if isinstance(part, str))
    raise AgentFailed(f"the last message's content is {type(content).__name__!r}, and no text")


def from_langgraph(
    graph: Any, *, name: str | None = None, max_concurrency: int = 4, as_node: str | None = None
) -> LangGraphAgent:
    """`as_node` is the node in whose name an injected history is written where the graph has a checkpointer; by default
    it is given in as input. Raises `NotAnAgent`.
    """
    return LangGraphAgent(graph, name=name, max_concurrency=max_concurrency, as_node=as_node)
