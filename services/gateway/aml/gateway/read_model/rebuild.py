"""Builds the read model from the ledger, beside the live one: to compare them, or to put the new one in its place.

The swap is one transaction. In it folding waits, and the log is read on until it holds every fact that was counted live; the
broker then delivers nothing twice that counts, and nothing is lost. What the log never comes to hold was never true: with
`discard` it goes, without it the swap is refused.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from itertools import count
from typing import Final

from msgspec import Struct

from aml.contracts.events import Event
from aml.gateway.storage.database import Connection
from aml.runtime.projector import Projector

from .shadow import (
    Difference,
    GatewayProjector,
    count_unlogged,
    drop_shadow,
    find_differences,
    hold_live,
    make_shadow,
    put_in_place,
)

BATCH: Final = 500
CATCH_UP_TRIES: Final = 20
CATCH_UP_SECONDS: Final = 0.25

ReadLog = Callable[[int], AsyncIterator[Event]]
"""The log's events from an index on, to its newest checkpoint."""


class Unlogged(Exception):
    """The read model counts facts that the log does not hold."""

    def __init__(self, facts: int) -> None:
        super().__init__(
            f"the read model counts {facts} facts that the log does not hold; nothing was changed."
            " Is the ledger behind? If it is not, --discard drops them"
        )
        self.facts = facts


class Rebuilt(Struct, frozen=True, kw_only=True):
    entries: int
    live_digest: str
    logged_digest: str
    differences: tuple[Difference, ...]
    swapped: bool

    @property
    def same(self) -> bool:
        return self.live_digest == self.logged_digest


async def compare(connection: Connection, read_log: ReadLog) -> Rebuilt:
    """Changes nothing. A job that runs meanwhile may differ by what is between the stream and the log."""
    async with connection.transaction():
        shadow = await make_shadow(connection)
    try:
        entries = await _fill(shadow, read_log, 0)
        async with connection.transaction():
            await hold_live(connection)
            entries += await _catch_up(connection, shadow, read_log, entries)
            return await _compared(connection, shadow, entries, swapped=False)
    finally:
        await drop_shadow(connection)


async def rebuild(connection: Connection, read_log: ReadLog, *, discard: bool = False) -> Rebuilt:
    """Raises `Unlogged`, and what `read_log` raises; then nothing was changed."""
    async with connection.transaction():
        shadow = await make_shadow(connection)
    try:
        entries = await _fill(shadow, read_log, 0)
        async with connection.transaction():
            await hold_live(connection)
            entries += await _catch_up(connection, shadow, read_log, entries)
            if not discard and (facts := await count_unlogged(connection)):
                raise Unlogged(facts)
            done = await _compared(connection, shadow, entries, swapped=True)
            await put_in_place(connection)
            return done
    finally:
        await drop_shadow(connection)


async def _fill(shadow: Projector, read_log: ReadLog, start: int) -> int:
    batch: list[Event] = []
    read = 0
    async for event in read_log(start):
        batch.append(event)
        if len(batch) == BATCH:
            await shadow.apply(batch)
            read, batch = read + len(batch), []
    await shadow.apply(batch)
    return read + len(batch)


async def _catch_up(connection: Connection, shadow: GatewayProjector, read_log: ReadLog, start: int) -> int:
    read = 0
    for tries in count(1):
        read += await _fill(shadow, read_log, start + read)
        if tries == CATCH_UP_TRIES or not await count_unlogged(connection):
            break
        await asyncio.sleep(CATCH_UP_SECONDS)
    return read


async def _compared(connection: Connection, shadow: GatewayProjector, entries: int, *, swapped: bool) -> Rebuilt:
    return Rebuilt(
        entries=entries,
        live_digest=await GatewayProjector(connection).digest(),
        logged_digest=await shadow.digest(),
        differences=await find_differences(connection),
        swapped=swapped,
    )
