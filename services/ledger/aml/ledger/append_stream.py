"""The ledger's heart: read a batch, append it. It keeps a batch until it is durable, however long that takes."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

import structlog

from . import queries
from .append_batch import StreamMessage
from .database import DATABASE_AWAY, Pool
from .errors import LedgerError
from .sequencer import Sequencer

log = structlog.get_logger()

T = TypeVar("T")

_BACKOFF_SECONDS = (0.1, 0.2, 0.5, 1.0, 2.0)


class Stopping(ConnectionError):
    """The process ends; the batch in hand is read again by the next one."""


@dataclass
class StreamAppender:
    pool: Pool
    sequencer: Sequencer
    stop: asyncio.Event
    refusal: Callable[[], LedgerError | None]
    """Why the log must not grow now, if it must not."""
    on_appended: Callable[[], None]
    problem: str | None = None
    """What keeps the log from growing, for readiness."""

    async def load_place(self) -> tuple[int, str]:
        return await self._until_done(self._load_place)

    async def append(self, messages: list[StreamMessage]) -> None:
        await self._until_done(lambda: self._append(messages))

    async def _append(self, messages: list[StreamMessage]) -> None:
        if (refusal := self.refusal()) is not None:
            self.on_appended()  # has the checkpointer look again
            raise refusal
        await self.sequencer.append(messages)
        self.on_appended()

    async def _load_place(self) -> tuple[int, str]:
        async with self.pool.connection() as connection:
            return await queries.load_stream_place(connection)

    async def _until_done(self, step: Callable[[], Awaitable[T]]) -> T:
        """Tries `step` until it succeeds. Nothing is skipped: an entry that cannot be appended holds up the log.

        Raises `Stopping` when the process ends first.
        """
        failures = 0
        while True:
            try:
                result = await step()
            except DATABASE_AWAY as error:
                self._note(f"the database is away: {_first_line(error)}", failures)
            except LedgerError as error:
                self._note(str(error), failures)
            except Exception as error:  # the consumer loop: shown by readiness and tried again, never skipped
                log.exception("append.failed")
                self._note(f"{type(error).__name__}: {_first_line(error)}", failures)
            else:
                self.problem = None
                return result
            await self._pause(_BACKOFF_SECONDS[min(failures, len(_BACKOFF_SECONDS) - 1)])
            failures += 1

    def _note(self, problem: str, failures: int) -> None:
        if failures == 0 or problem != self.problem:
            log.error("append.held_up", problem=problem)
        self.problem = problem

    async def _pause(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self.stop.wait(), seconds)
        except TimeoutError:
            return
        raise Stopping(self.problem or "stopping")


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
