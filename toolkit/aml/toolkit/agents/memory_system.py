"""A bare memory with Add and Search, evaluated as one: the release answers from what it returns."""

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from aml.contracts.participant import AddRequest, SearchRequest

from .agent import HistoryTurn
from .errors import AgentFailed, NotAnAgent
from .own_thread import OwnThread
from .received import turns_of

Add = Callable[..., Any]
"""`add(turns, user_id, session_id)`"""
Search = Callable[..., Any]
"""`search(query, user_id, top_k)`, returning texts, or mappings with `content` and perhaps `id` and `score`; best first."""


class MemorySystem:
    """`max_concurrency` is how many Searches, and how many users' Adds, come at once."""

    def __init__(self, add: Add, search: Search, *, name: str = "memory", max_concurrency: int = 1) -> None:
        self.name = name
        self.model: str | None = None
        self.max_concurrency = max_concurrency
        self._add = add
        self._search = search
        self._thread = OwnThread(name)

    async def add(self, request: AddRequest) -> None:
        turns: tuple[HistoryTurn, ...] = turns_of(request)
        await self._call(self._add, turns, request.user_id, request.session_id)

    async def search(self, request: SearchRequest) -> list[dict[str, Any]]:
        """Raises `AgentFailed` for what is no list of memories."""
        found = await self._call(self._search, str(request.query), request.user_id, request.top_k)
        if found is None:
            return []
        if isinstance(found, str | Mapping) or not isinstance(found, Sequence):
            raise AgentFailed(f"search returned {type(found).__name__!r}; it returns a list of texts or of mappings")
        return [_item(position, each) for position, each in enumerate(found[: request.top_k])]

    async def aclose(self) -> None:
        self._thread.close()

    async def _call(self, function: Callable[..., Any], *given: Any) -> Any:
        if inspect.iscoroutinefunction(function):
            return await function(*given)
        result = await self._thread.call(function, *given)
        return await result if isinstance(result, Awaitable) else result


def from_memory(add: Add, search: Search, *, name: str = "memory", max_concurrency: int = 1) -> MemorySystem:
    """`add(turns, user_id, session_id)` and `search(query, user_id, top_k)`, sync or async. Raises `NotAnAgent`."""
    for given, called in ((add, "add"), (search, "search")):
        if not callable(given):
            raise NotAnAgent(given, f"{called} cannot be called")
    return MemorySystem(add, search, name=name, max_concurrency=max_concurrency)


def _item(position: int, found: Any) -> dict[str, Any]:
    if isinstance(found, str):
        return {"id": str(position), "content": str.__str__(found)}
    if isinstance(found, Mapping) and isinstance(found.get("content"), str):
        item = {"id": str(found.get("id") or position), "content": str.__str__(found["content"])}
        return item if found.get("score") is None else {**item, "score": found["score"]}
    raise AgentFailed(
        f"search returned a memory that is {type(found).__name__!r}, and neither a text nor has `content`"
    )
