"""Signs the log as the database holds it, after the batch was committed: nothing is ever signed that may roll back.

The rows since the last signature are read again and hashed by the signer itself; its root must be the sequencer's. A crash
between commit and signature leaves an unsigned end, which the next call signs.
"""

from aml.rules.merkle import Frontier, leaf_hash
from aml.runtime.clock import Clock

from . import queries
from .database import Connection, Pool
from .errors import LogForked, LogWentBack
from .metrics import SIGNED_SIZE
from .signer import Signer

_PAGE = 4096


async def sign_head(pool: Pool, signer: Signer, clock: Clock) -> int:
    """The size under the newest checkpoint. Raises `LedgerError` when the log must not be signed."""
    async with pool.connection() as connection, connection.transaction():
        head = await queries.lock_head(connection)
        last = signer.last_signed()
        if head.size < last.size:
            raise LogWentBack(last.size, head.size)
        newest = await queries.load_checkpoint(connection)
        if head.size == 0 or (newest is not None and newest[0] == head.size == last.size and newest[1] == last.root()):
            return head.size
        grown = last.copy()
        if newest is not None and newest[0] >= last.size:
            # The signer's own memory was lost or is older: what was published must be on the way, too.
            await _grow(connection, grown, newest[0])
            if grown.root() != newest[1]:
                raise LogForked(newest[0], "its rows give another root than the published checkpoint")
        await _grow(connection, grown, head.size)
        if grown.root() != head.root():
            raise LogForked(head.size, "its rows give another root than the sequencer's")
        note = signer.sign(grown)
        if newest is None or newest[0] < head.size:
            await queries.insert_checkpoint(connection, head.size, grown.root(), note, clock.now_ms())
    SIGNED_SIZE.set(grown.size)
    return grown.size


async def _grow(connection: Connection, frontier: Frontier, size: int) -> None:
    while frontier.size < size:
        rows = await queries.load_bodies(connection, frontier.size, min(size, frontier.size + _PAGE))
        if not rows:
            raise LogForked(size, f"entry {frontier.size} is missing")
        for idx, body in rows:
            if idx != frontier.size:
                raise LogForked(size, f"entry {frontier.size} is missing")
            frontier.append(leaf_hash(body))
