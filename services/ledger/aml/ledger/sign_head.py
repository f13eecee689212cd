"""Signs the log as the database holds it, after the batch was committed: nothing is ever signed that may roll back.

The rows since the last signature are read again and hashed by the signer itself; its root must be the sequencer's, and that
of the tiles. Then, in this order: tiles durable, the signer's memory durable, the signature, the checkpoint in the database,
the checkpoint in the public store. A crash between any two leaves a log that verifies, and the next call goes on from there.
"""

import asyncio

from aml.rules.merkle import Frontier, leaf_hash
from aml.runtime.clock import Clock

from . import checkpoint_queries as queries
from .database import SIGNER_ROLE, Connection, Pool, acting
from .errors import LogForked, LogWentBack
from .metrics import SIGNED_SIZE
from .signer import Signer
from .tile_writer import TileWriter

_PAGE = 4096


async def sign_head(pool: Pool, signer: Signer, tiles: TileWriter, clock: Clock, *, publish: bool = True) -> int:
    """The size under the newest checkpoint. Raises `LedgerError` when the log must not be signed.

    `publish=False` leaves the checkpoint out of the public store: it waits for its witnesses.
    """
    async with acting(pool, SIGNER_ROLE) as connection:
        await queries.lock_signing(connection)
        try:
            return await _signed(connection, signer, tiles, clock, publish=publish)
        except BaseException:
            tiles.forget()
            raise


async def _signed(connection: Connection, signer: Signer, tiles: TileWriter, clock: Clock, *, publish: bool) -> int:
    head = await queries.load_head(connection)
    last = signer.last_signed()
    if head.size < last.size:
        raise LogWentBack(last.size, head.size)
    newest = await queries.load_checkpoint(connection)
    record = newest if publish else await queries.load_cosigned(connection)
    await tiles.resume(record.size if record is not None else 0, head.size)
    if newest is not None and newest.size == head.size == last.size == tiles.size and newest.root == last.root():
        await _publish(tiles, newest.note if publish else None)
        return head.size
    await _lay(connection, tiles, min(last.size, head.size))
    grown = last.copy()
    if newest is not None and newest.size >= last.size:
        # The signer's own memory was lost or is older: what was published must be on the way, too.
        await _grow(connection, grown, newest.size, tiles)
        if grown.root() != newest.root:
            raise LogForked(newest.size, "its rows give another root than the published checkpoint")
    await _grow(connection, grown, head.size, tiles)
    if grown.root() != head.root():
        raise LogForked(head.size, "its rows give another root than the sequencer's")
    if head.size == 0:
        return 0
    await tiles.settle(grown.root())
    note = await asyncio.to_thread(signer.sign, grown)  # it fsyncs, and the probes must go on answering
    if newest is None or newest.size < head.size:
        await queries.insert_checkpoint(connection, head.size, grown.root(), note, clock.now_ms())
    await _publish(tiles, note if publish else None)
    SIGNED_SIZE.set(grown.size)
    return grown.size


async def _publish(tiles: TileWriter, note: str | None) -> None:
    """Before the commit, but of rows that were committed earlier: losing the commit loses no entry."""
    if note is not None:
        await tiles.publish(note)


async def _lay(connection: Connection, tiles: TileWriter, size: int) -> None:
    """Gives the tiles what was signed before but did not reach the store."""
    while tiles.size < size:
        for _, leaf, body in await _rows(connection, tiles.size, size):
            tiles.append(leaf, body)
        await tiles.flush()


async def _grow(connection: Connection, frontier: Frontier, size: int, tiles: TileWriter) -> None:
    while frontier.size < size:
        for idx, leaf, body in await _rows(connection, frontier.size, size):
            frontier.append(leaf)
            if idx == tiles.size:
                tiles.append(leaf, body)
        await tiles.flush()


async def _rows(connection: Connection, start: int, size: int) -> list[tuple[int, bytes, bytes]]:
    """A page of entries from `start` on, each hashed again. Raises `LogForked`, which names the first that is wrong."""
    rows = await queries.load_signable(connection, start, min(size, start + _PAGE))
    for expected, (idx, leaf, body) in enumerate(rows, start):
        if idx != expected:
            raise LogForked(size, f"entry {expected} is missing", expected)
        if leaf_hash(body) != leaf:
            raise LogForked(size, f"entry {idx} does not hash to the leaf beside it", idx)
    if not rows:
        raise LogForked(size, f"entry {start} is missing", start)
    return rows
