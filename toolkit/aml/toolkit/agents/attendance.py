"""Who stands behind Add and Search."""

from typing import Any, Protocol

from aml.contracts.participant import AddRequest, SearchRequest

from .in_time import ANSWER_SECONDS, in_time
from .memory_system import MemorySystem


class Attendance(Protocol):
    async def add(self, request: AddRequest) -> None:
        """The same request may come again; it takes effect once."""

    async def search(self, request: SearchRequest) -> list[dict[str, Any]]:
        """The items of `data`."""

    async def aclose(self) -> None: ...


def said(answer: str | None) -> list[dict[str, Any]]:
    """An agent's answer as Search's one item; none for an agent that says nothing."""
    return [{"id": "answer", "content": answer}] if answer is not None and answer.strip() else []


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
