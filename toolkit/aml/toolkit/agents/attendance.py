"""Who stands behind Add and Search."""

from typing import Any, Protocol

from aml.contracts.participant import AddRequest, SearchRequest

from .errors import AgentFailed
from .in_time import ANSWER_SECONDS, in_time
from .memory_system import MemorySystem


class Attendance(Protocol):
    async def add(self, request: AddRequest) -> None:
        """The same request may come again; it takes effect once."""

    async def search(self, request: SearchRequest) -> list[dict[str, Any]]:
        """The items of `data`."""

    async def aclose(self) -> None: ...


def said(answer: str | None) -> list[dict[str, Any]]:
    """An agent's answer as Search's one item; none for an agent that says nothing. Raises `AgentFailed` for what is no text."""
    if answer is None:
        return []
    if not isinstance(answer, str):
        raise AgentFailed(f"the agent answered with {type(answer).__name__!r}; an answer is a text, or None")
    text = str.__str__(answer)  # libraries hand out kinds of `str` of their own, which no encoder takes
    return [{"id": "answer", "content": text}] if text.strip() else []


class Remembering:
    """A memory system, which is called as it is."""

    def __init__(self, system: MemorySystem, *, seconds: float = ANSWER_SECONDS) -> None:
        self._system = system
        self._seconds = seconds
        self._done: set[str] = set()

    async def add(self, request: AddRequest) -> None:
        if request.request_id not in self._done:
            async with in_time(self._seconds):
                await self._system.add(request)
            self._done.add(request.request_id)

    async def search(self, request: SearchRequest) -> list[dict[str, Any]]:
        async with in_time(self._seconds):
            return await self._system.search(request)

    async def aclose(self) -> None:
        await self._system.aclose()
