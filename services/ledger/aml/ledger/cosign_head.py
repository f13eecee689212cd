"""Publishes the newest checkpoint when the policy's quorum has cosigned it, and not before."""

from aml.rules.witness_policy import QuorumMissing, require_quorum
from aml.runtime.clock import Clock

from . import checkpoint_queries as queries
from .database import SIGNER_ROLE, Pool, acting
from .errors import QuorumPending
from .metrics import PUBLISHED_SIZE
from .tile_writer import TileWriter
from .tree_store import load_consistency
from .witnesses import Witnesses


async def cosign_head(pool: Pool, witnesses: Witnesses, tiles: TileWriter, clock: Clock) -> int:
    """The size under the newest published checkpoint. Raises `QuorumPending`; asking again is always safe."""
    async with acting(pool, SIGNER_ROLE) as connection:
        newest = await queries.load_checkpoint(connection)
        cosigned = await queries.load_cosigned(connection)
    if newest is None:
        return 0
    if cosigned is None or cosigned.size < newest.size:
        note = await _cosigned(pool, witnesses, newest, clock)
        async with acting(pool, SIGNER_ROLE) as connection:
            await queries.insert_cosigned(connection, newest.size, note, clock.now_ms())
    async with acting(pool, SIGNER_ROLE) as connection:
        await queries.lock_signing(connection)
        record = await queries.load_cosigned(connection)
        assert record is not None
        await tiles.publish(record.note)
    PUBLISHED_SIZE.set(record.size)
    return record.size


async def _cosigned(pool: Pool, witnesses: Witnesses, newest: queries.SignedRow, clock: Clock) -> str:
    async def prove(old: int, new: int) -> tuple[bytes, ...]:
        async with pool.connection() as connection:
            return await load_consistency(connection, old, new)

    note, refused = await witnesses.cosign(newest.note, prove)
    try:
        require_quorum(note, witnesses.policy, now_s=clock.now_ms() // 1000)
    except QuorumMissing as error:
        raise QuorumPending(newest.size, "; ".join((str(error), *refused))) from None
    return note
