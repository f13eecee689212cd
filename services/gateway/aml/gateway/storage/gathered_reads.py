"""Reads of one kind that are asked for while another is under way go out together, as one statement.

A read is never joined to one that is under way: it begins after it was asked for, so it sees what was committed before. When
nobody else asks, it goes out at once and by itself.
"""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import islice
from typing import Generic, TypeVar

V = TypeVar("V")

MOST_AT_ONCE = 200


class GatheredReads(Generic[V]):
    """`read` is given different keys and returns what it found, by key."""

    def __init__(self, read: Callable[[list[str]], Awaitable[dict[str, V]]]) -> None:
        self._read = read
        self._waiting: dict[str, list[asyncio.Future[V | None]]] = {}
        self._reading: asyncio.Task[None] | None = None

    async def get(self, key: str) -> V | None:
        """Raises what `read` raises."""
        answer: asyncio.Future[V | None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(key, []).append(answer)
        if self._reading is None:
            self._reading = asyncio.create_task(self._read_waiting())
        return await answer

    async def _read_waiting(self) -> None:
        try:
            while self._waiting:
                keys = list(islice(self._waiting, MOST_AT_ONCE))
                asked = {key: self._waiting.pop(key) for key in keys}
                try:
                    found = await self._read(keys)
                except Exception as error:  # noqa: BLE001  whoever asked is told, and nobody waits for ever
                    for answer in _open(asked):
                        answer.set_exception(error)
                else:
                    for key, answers in asked.items():
                        for answer in answers:
                            if not answer.done():
                                answer.set_result(found.get(key))
        finally:
            self._reading = None


def _open(asked: dict[str, list[asyncio.Future[V | None]]]) -> list[asyncio.Future[V | None]]:
    """Without those whose caller is gone."""
    return [answer for answers in asked.values() for answer in answers if not answer.done()]
