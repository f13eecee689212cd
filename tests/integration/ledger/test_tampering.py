"""What was changed behind the signer is not signed."""

from pathlib import Path

import pytest
from tests.factories.finished_jobs import a_job
from tests.integration.ledger.stored_log import CLOCK, checked_log, messages, sequencer, tiles_of

from aml.ledger.database import Pool
from aml.ledger.errors import LogForked, LogWentBack
from aml.ledger.sign_head import sign_head
from aml.ledger.signer import Signer
from aml.rules.merkle import Frontier, leaf_hash


async def test_an_edited_row_is_not_signed(pool: Pool, signer: Signer) -> None:
    events = a_job("a", questions=3)
    await sequencer(pool).append(messages(events))
    async with pool.connection() as connection:
        await connection.execute("ALTER TABLE ledger.entries DISABLE TRIGGER entries_only_grow")
        await connection.execute("UPDATE ledger.entries SET body = body || '\\x20' WHERE idx = 4")
    with pytest.raises(LogForked, match="entry 4 does not hash to the leaf beside it"):
        await sign_head(pool, signer, tiles_of(signer), CLOCK)


async def test_a_row_taken_away_is_not_signed(pool: Pool, signer: Signer) -> None:
    await sequencer(pool).append(messages(a_job("a", questions=3)))
    async with pool.connection() as connection:
        await connection.execute("ALTER TABLE ledger.entries DISABLE TRIGGER entries_only_grow")
        await connection.execute("DELETE FROM ledger.entries WHERE idx = 4")
    with pytest.raises(LogForked, match="entry 4 is missing"):
        await sign_head(pool, signer, tiles_of(signer), CLOCK)


async def test_an_older_database_is_not_signed(pool: Pool, signer: Signer) -> None:
    grown = Frontier()
    for n in range(50):
        grown.append(leaf_hash(b"%d" % n))
    signer.sign(grown)
    await sequencer(pool).append(messages(a_job("a", questions=3)))
    with pytest.raises(LogWentBack, match="but 50 were signed"):
        await sign_head(pool, signer, tiles_of(signer), CLOCK)


async def test_a_lost_memory_is_rebuilt_from_the_rows_and_the_checkpoint(
    pool: Pool, signer: Signer, tmp_path: Path
) -> None:
    events = a_job("a", questions=3)
    await sequencer(pool).append(messages(events[:6]))
    await sign_head(pool, signer, tiles_of(signer), CLOCK)
    (tmp_path / "log.key.state").unlink()
    await sequencer(pool).append(messages(events[6:], 7))
    assert await checked_log(pool, signer) == events
    assert signer.last_signed().size == len(events)
