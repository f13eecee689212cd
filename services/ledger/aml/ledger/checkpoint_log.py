"""Signs and publishes the log beside its appending: as often as the interval allows, each time up to where the log stands.

Appending never waits for a signature, a tile or a witness; but where the log must not be signed at all (it went back, it
forked), `refusal` tells the appender to stop.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import structlog

from .database import DATABASE_AWAY
from .errors import LOG_REFUSED, LedgerError, QuorumPending

log = structlog.get_logger()

_IDLE_SECONDS = 5.0
_BACKOFF_SECONDS = (0.1, 0.2, 0.5, 1.0, 2.0)


@dataclass
class Checkpointer:
    steps: tuple[Callable[[], Awaitable[object]], ...]
    """In order: sign; and, where there is a policy, ask its witnesses."""
    interval_seconds: float
    problem: str | None = None
    """What keeps new entries from being signed, for readiness."""
    waiting: str | None = None
    """What keeps a signed checkpoint from being published: its witnesses."""
    refusal: LedgerError | None = None
    _wake: asyncio.Event = field(default_factory=asyncio.Event)

    def wake(self) -> None:
        """The log has grown."""
        self._wake.set()

    async def run(self, stop: asyncio.Event) -> None:
        failures = 0
        while not stop.is_set():
            self._wake.clear()
            failures = 0 if await self.pass_once() else failures + 1
            if failures:
                await _pause(stop, _BACKOFF_SECONDS[min(failures, len(_BACKOFF_SECONDS)) - 1])
            else:
                await _pause(stop, self.interval_seconds)
                await self._until_woken()

    async def until_signed(self, stop: asyncio.Event) -> None:
        """What an earlier process committed and did not live to sign. Returns when the signature stands, or at `stop`."""
        failures = 0
        while not await self.pass_once() and self.problem is not None and not stop.is_set():
            await _pause(stop, _BACKOFF_SECONDS[min(failures, len(_BACKOFF_SECONDS) - 1)])
            failures += 1

    async def pass_once(self) -> bool:
        """False when it must be done again."""
        problem: str | None = None
        waiting: str | None = None
        refusal: LedgerError | None = None
        try:
            for step in self.steps:
                await step()
        except DATABASE_AWAY as error:
            problem = f"the database is away: {_first_line(error)}"
        except QuorumPending as error:
            waiting = str(error)
        except LedgerError as error:
            problem = str(error)
            refusal = error if isinstance(error, LOG_REFUSED) else None
        except OSError as error:
            problem = f"the signer's memory cannot be written: {error.strerror or type(error).__name__}"
        except Exception as error:  # the loop of a task: shown by readiness and tried again, never skipped
            log.exception("checkpoint.failed")
            problem = f"{type(error).__name__}: {_first_line(error)}"
        if problem is not None and problem != self.problem:
            log.error("checkpoint.held_up", problem=problem)
        if waiting is not None and waiting != self.waiting:
            log.warning("checkpoint.waits_for_witnesses", problem=waiting)
        self.problem, self.waiting, self.refusal = problem, waiting, refusal
        return problem is None and waiting is None

    async def _until_woken(self) -> None:
        try:
            await asyncio.wait_for(self._wake.wait(), _IDLE_SECONDS)
        except TimeoutError:
            return


async def _pause(stop: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(stop.wait(), seconds)
    except TimeoutError:
        return


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
