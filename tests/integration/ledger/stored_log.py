"""A log in the database: how a test fills it and reads it back."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from aml.contracts.events import Event, encode_event
from aml.ledger import checkpoint_queries, queries
from aml.ledger.append_batch import StreamMessage
from aml.ledger.database import Pool
from aml.ledger.log_store import FolderLogStore
from aml.ledger.sequencer import Sequencer
from aml.ledger.sign_head import sign_head
from aml.ledger.signer import Signer
from aml.ledger.tile_writer import TileWriter
from aml.rules.checkpoint import open_checkpoint
from aml.rules.identity import STREAM, subject_of
from aml.rules.verify import verify_entries
from aml.runtime.bus import Bus
from aml.runtime.clock import FixedClock

ORIGIN = "log.example.org/test"


CLOCK = FixedClock(1_780_000_000_000)


async def lose_stream(bus: Bus) -> None:
    """As a broker whose disk was replaced: no message, no consumer, no memory of message ids (which a purge keeps)."""
    await bus.js.delete_stream(STREAM)
    await bus.connect()


def tiles_of(signer: Signer) -> TileWriter:
    """A writer that knows nothing yet, as after a start, over the store beside the signer's key."""
    return TileWriter(FolderLogStore(signer.key_file.parent / "public"), ORIGIN)


def sequencer(pool: Pool) -> Sequencer:
    return Sequencer(pool, CLOCK, on_closable=lambda: None)


def messages(events: Sequence[Event], start: int = 1) -> list[StreamMessage]:
    return [StreamMessage(n, subject_of(event), encode_event(event)) for n, event in enumerate(events, start)]


async def bodies(pool: Pool) -> list[bytes]:
    async with pool.connection() as connection:
        return [body for _, body in await queries.load_bodies(connection, 0, 1_000_000)]


async def checked_log(pool: Pool, signer: Signer) -> list[Any]:
    """Signs the log, and reads it as an auditor would: the events, in order."""
    await sign_head(pool, signer, tiles_of(signer), CLOCK)
    async with pool.connection() as connection:
        newest = await checkpoint_queries.load_checkpoint(connection)
    assert newest is not None
    return [each.event for each in verify_entries(open_checkpoint(newest.note, signer.key), await bodies(pool))]


async def eventually(check: Callable[[], Awaitable[Any]], seconds: float = 15.0) -> Any:
    async with asyncio.timeout(seconds):
        while not (found := await check()):
            await asyncio.sleep(0.02)
    return found
