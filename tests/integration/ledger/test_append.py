"""Appending: once, dense, signed, whatever breaks in between."""

import asyncio
import random

import msgspec
import psycopg
import pytest
from tests.factories.events import an_event
from tests.factories.finished_jobs import a_job
from tests.integration.ledger.stored_log import CLOCK, bodies, checked_log, messages, sequencer, tiles_of

from aml.contracts.jobs import JobFailed
from aml.ledger import queries
from aml.ledger.append_batch import StreamMessage
from aml.ledger.database import Pool
from aml.ledger.sign_head import sign_head
from aml.ledger.signer import Signer
from aml.ledger.tree_store import load_consistency, load_inclusion
from aml.rules.identity import subject_of
from aml.rules.merkle import Frontier, leaf_hash, verify_consistency, verify_inclusion


async def test_an_appended_log_verifies(pool: Pool, signer: Signer) -> None:
    events = a_job("a", questions=6)
    await sequencer(pool).append(messages(events))
    assert await checked_log(pool, signer) == events


async def test_duplicates_and_reordering_leave_each_fact_once(pool: Pool, signer: Signer) -> None:
    events = [*a_job("a", questions=10), *a_job("b", questions=10)]
    shuffled = [*events, *events[:30]]
    random.Random(7).shuffle(shuffled)
    for at in range(0, len(shuffled), 13):
        await sequencer(pool).append(messages(shuffled[at : at + 13], at + 1))
    found = await checked_log(pool, signer)
    assert len(found) == len(events)
    assert set(map(subject_of, found)) == set(map(subject_of, events))


async def test_two_sequencers_at_once_leave_a_dense_index(pool: Pool, signer: Signer) -> None:
    events = [event for n in range(6) for event in a_job(f"job-{n}", questions=8)]

    async def append_all(seed: int) -> None:
        mine = list(events)
        random.Random(seed).shuffle(mine)
        for at in range(0, len(mine), 17):
            await sequencer(pool).append(messages(mine[at : at + 17], at + 1))

    await asyncio.gather(append_all(1), append_all(2), append_all(3))
    assert set(map(subject_of, await checked_log(pool, signer))) == set(map(subject_of, events))


async def test_a_crash_between_copy_and_commit_stores_nothing_and_loses_nothing(
    pool: Pool, signer: Signer, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = a_job("a", questions=4)
    await sequencer(pool).append(messages(events[:5]))

    async def crash(*_: object) -> None:
        raise psycopg.OperationalError("the connection is lost")

    with monkeypatch.context() as broken:
        broken.setattr(queries, "update_head", crash)
        with pytest.raises(psycopg.OperationalError):
            await sequencer(pool).append(messages(events[5:], 6))
    assert len(await bodies(pool)) == 5
    await sequencer(pool).append(messages(events[5:], 6))
    assert await checked_log(pool, signer) == events


async def test_a_crash_between_commit_and_signature_is_made_good(pool: Pool, signer: Signer) -> None:
    events = a_job("a", questions=4)
    for at in range(0, len(events), 3):
        await sequencer(pool).append(messages(events[at : at + 3], at + 1))
    assert await sign_head(pool, signer, tiles_of(signer), CLOCK) == len(events)
    assert await sign_head(pool, signer, tiles_of(signer), CLOCK) == len(events)
    assert await checked_log(pool, signer) == events


async def test_a_signature_that_was_not_stored_is_given_again(pool: Pool, signer: Signer) -> None:
    await sequencer(pool).append(messages(a_job("a")))
    grown = Frontier()
    for body in await bodies(pool):
        grown.append(leaf_hash(body))
    signer.sign(grown)
    assert len(await checked_log(pool, signer)) == grown.size


async def test_what_is_no_event_is_kept_aside_and_the_log_goes_on(pool: Pool, signer: Signer) -> None:
    events = a_job("a")
    strange = StreamMessage(1, "aml.v1.job.a.mystery", b"\x00not an event")
    await sequencer(pool).append([strange, *messages(events, 2), strange])
    assert await checked_log(pool, signer) == events
    async with pool.connection() as connection:
        rows = await (await connection.execute("SELECT subject, body FROM ledger.refused")).fetchall()
    assert rows == [(strange.subject, strange.data)]


async def test_proofs_from_the_database_verify(pool: Pool) -> None:
    events = [event for n in range(3) for event in a_job(f"job-{n}", questions=70)]
    await sequencer(pool).append(messages(events))
    leaves = [leaf_hash(body) for body in await bodies(pool)]
    roots = [Frontier().root()]
    frontier = Frontier()
    for leaf in leaves:
        frontier.append(leaf)
        roots.append(frontier.root())
    assert len(leaves) > 3 * 256
    choose = random.Random(5)
    async with pool.connection() as connection:
        for _ in range(60):
            old, new = sorted((choose.randint(1, len(leaves)), choose.randint(1, len(leaves))))
            index = choose.randrange(new)
            found = await load_inclusion(connection, index, new)
            proof = [bytes.fromhex(each) for each in found.proof]
            assert (found.leaf, found.root) == (leaves[index].hex(), roots[new].hex())
            verify_inclusion(index=index, size=new, leaf=leaves[index], proof=proof, root=roots[new])
            consistency = await load_consistency(connection, old, new)
            verify_consistency(old=old, new=new, old_root=roots[old], new_root=roots[new], proof=consistency)


async def test_an_event_that_no_bundle_could_hold_is_kept_aside(pool: Pool, signer: Signer) -> None:
    events = a_job("a")
    long = msgspec.structs.replace(an_event(JobFailed), job_id="b", detail="x" * 65_600)
    await sequencer(pool).append(messages([long, *events]))
    assert await checked_log(pool, signer) == events
    async with pool.connection() as connection:
        rows = await (await connection.execute("SELECT problem FROM ledger.refused")).fetchall()
    assert "room for 65024" in rows[0][0]
