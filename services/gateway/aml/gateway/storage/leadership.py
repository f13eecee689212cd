"""Of several gateway processes one relays the outbox and folds the stream: whoever holds the advisory lock.

Both would be right with two at work (facts land once, rows are inserted once); one alone keeps the outbox's order.
"""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from .database import DATABASE_AWAY, Connection, Database
from .start_queries import take_leadership

log = structlog.get_logger()

_LOCK = 0x616D6C_6C
_TRY_SECONDS = 1.0
_CHECK_SECONDS = 2.0


async def lead(database: Database, work: Callable[[asyncio.Event], Awaitable[None]], stop: asyncio.Event) -> None:
    """Runs `work(until)` while this process leads; `until` is set when it no longer does, or at `stop`."""
    while not stop.is_set():
        try:
            async with await database.dedicated() as connection:
                if await take_leadership(connection, _LOCK):
                    log.info("leadership.taken")
                    await _work_while_held(connection, work, stop)
                    continue
        except DATABASE_AWAY as error:
            log.warning("leadership.lost", error=type(error).__name__)
        except Exception:  # the consumer loop: what is unforeseen is logged and tried again; the API stays up
            log.exception("leadership.failed")
        await _pause(stop, _TRY_SECONDS)


async def _work_while_held(
    connection: Connection, work: Callable[[asyncio.Event], Awaitable[None]], stop: asyncio.Event
) -> None:
    until = asyncio.Event()
    working = asyncio.ensure_future(work(until))
    try:
        while not stop.is_set() and not working.done():
            await _pause(stop, _CHECK_SECONDS)
            await connection.execute("SELECT 1")
    finally:
        until.set()
        await working


async def _pause(stop: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(stop.wait(), seconds)
    except TimeoutError:
        return
