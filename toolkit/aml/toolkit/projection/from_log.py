"""Rebuilds a service's read model from the log: compares it with the one in use, or puts it in its place."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

from msgspec import Struct

from aml.contracts.events import Event
from aml.gateway.read_model.rebuild import Rebuilt, compare, rebuild
from aml.gateway.storage.database import Database
from aml.publisher.collect_board import WATCHED_SUBJECTS
from aml.publisher.project_approvals import ApprovalsProjector
from aml.runtime.bus import Bus
from aml.runtime.follow import follow
from aml.runtime.projector import Projector
from aml.runtime.settings import DatabaseSettings, NatsSettings
from aml.toolkit.audit.log_source import LogSource
from aml.toolkit.verified_log import verified_events


class Compared(Struct, frozen=True, kw_only=True):
    logged_digest: str
    stream_digest: str

    @property
    def same(self) -> bool:
        return self.logged_digest == self.stream_digest


async def rebuild_gateway(
    source: LogSource, settings: DatabaseSettings, *, compare_only: bool, discard: bool
) -> Rebuilt:
    """Raises `Unlogged`, `AuditError`, or psycopg's errors; then nothing was changed."""

    def read_log(start: int) -> AsyncIterator[Event]:
        return verified_events(source, start=start)

    async with await Database(settings).dedicated() as connection:
        if compare_only:
            return await compare(connection, read_log)
        return await rebuild(connection, read_log, discard=discard)


async def compare_publisher(source: LogSource, settings: NatsSettings) -> Compared:
    """Its read model is in memory and made at each start from the stream: what can differ is the stream."""
    logged: Projector = ApprovalsProjector()
    async for event in verified_events(source):
        await logged.apply((event,))
    streamed = ApprovalsProjector()
    bus = Bus(settings, name="aml-projection")
    await bus.connect()
    try:
        await _read_stream(bus, streamed)
    finally:
        await bus.close()
    return Compared(logged_digest=await logged.digest(), stream_digest=await streamed.digest())


async def _read_stream(bus: Bus, streamed: ApprovalsProjector) -> None:
    stop, caught_up = asyncio.Event(), asyncio.Event()
    following = asyncio.create_task(
        follow(bus, filter_subjects=WATCHED_SUBJECTS, apply=streamed.state.apply, stop=stop, caught_up=caught_up)
    )
    reached = asyncio.create_task(caught_up.wait())
    await asyncio.wait({following, reached}, return_when=asyncio.FIRST_COMPLETED)
    stop.set()
    reached.cancel()
    with suppress(asyncio.CancelledError):
        await reached
    await following
