"""The publisher's loop: follow the stream, refresh on a change, try again while anything is open."""

import asyncio

import structlog

from aml.runtime.bus import TRANSIENT_BUS_ERRORS, Bus
from aml.runtime.follow import follow

from .collect_board import WATCHED_SUBJECTS, Approvals
from .errors import CheckpointRejected, EntryPending, LedgerUnavailable, PublisherError
from .metrics import REFRESH_SECONDS
from .publish_board import BoardPublisher

log = structlog.get_logger()

_SOON_SECONDS = 0.5
_LATER_SECONDS = 5.0


class KeepCurrent:
    def __init__(self, *, bus: Bus, state: Approvals, publisher: BoardPublisher) -> None:
        self._bus = bus
        self._state = state
        self._publisher = publisher
        self._changed = asyncio.Event()
        self._caught_up = asyncio.Event()
        self.trouble: str | None = None
        """Why the board could not be brought up to date the last time; None when it is."""
        state.on_change = self._changed.set

    async def run(self, stop: asyncio.Event) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(
                follow(
                    self._bus,
                    filter_subjects=WATCHED_SUBJECTS,
                    apply=self._state.apply,
                    stop=stop,
                    caught_up=self._caught_up,
                )
            )
            group.create_task(self._refresh_until(stop))

    async def check_history(self) -> str | None:
        return None if self._caught_up.is_set() else "the stream's history is still being read"

    async def check_board(self) -> str | None:
        return self.trouble

    async def check_rows(self) -> str | None:
        return "; ".join(self._publisher.problems.values()) or None

    async def _refresh_until(self, stop: asyncio.Event) -> None:
        await _first_of(stop, self._caught_up, timeout_seconds=None)
        while not stop.is_set():
            self._changed.clear()
            wait = await self._refresh_once()
            await _first_of(stop, self._changed, timeout_seconds=wait)

    async def _refresh_once(self) -> float | None:
        """Seconds after which to try again without a change; None for never."""
        try:
            with REFRESH_SECONDS.time():
                done = await self._publisher.refresh()
        except EntryPending as error:
            log.info("board.waits", error=str(error))
            return _SOON_SECONDS
        except (LedgerUnavailable, CheckpointRejected, OSError, *TRANSIENT_BUS_ERRORS) as error:
            self.trouble = str(error) if isinstance(error, PublisherError) else f"{type(error).__name__}: {error}"
            log.error("board.not_refreshed", error=self.trouble)  # noqa: TRY400  the line says all; no trace
            return _SOON_SECONDS if isinstance(error, LedgerUnavailable) else _LATER_SECONDS
        self.trouble = None
        return None if done else _LATER_SECONDS


async def _first_of(*events: asyncio.Event, timeout_seconds: float | None) -> None:
    waits = [asyncio.create_task(event.wait()) for event in events]
    try:
        await asyncio.wait(waits, timeout=timeout_seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
