"""The one place that gives entries their indices. One transaction a batch; the locked head row makes it one at a time.

The stream's position is written in the same transaction as the rows, so there is nothing to acknowledge and nothing that
could be acknowledged without having been stored. (An acknowledgement of "all up to here" would not do: a message that was
delivered to a ledger that then died is redelivered after later ones, and would be acknowledged with them unstored.)
"""

from collections.abc import Callable, Sequence

import structlog

from aml.contracts.envelope import JobFact
from aml.runtime.clock import Clock

from . import queries
from .append_batch import Growth, StreamMessage, decide_growth, read_batch
from .database import WRITER_ROLE, Pool, acting
from .metrics import APPENDED, DUPLICATES, REFUSED, TREE_SIZE

log = structlog.get_logger()


class Sequencer:
    def __init__(self, pool: Pool, clock: Clock, *, on_closable: Callable[[], None]) -> None:
        """`on_closable` is called after a batch that may have finished a job or decided one."""
        self._pool = pool
        self._clock = clock
        self._on_closable = on_closable

    async def append(self, messages: Sequence[StreamMessage]) -> Growth:
        """Returns when the batch is durable. Raises one of `DATABASE_AWAY`; calling again with the batch is always safe."""
        batch = read_batch(messages)
        now_ms = self._clock.now_ms()
        job_ids = {event.job_id for each in batch.incoming if isinstance(event := each.event, JobFact)}
        async with acting(self._pool, WRITER_ROLE) as connection:
            frontier = await queries.lock_head(connection)
            known = await queries.load_known(connection, [each.event_id for each in batch.incoming])
            heads = await queries.load_heads(connection, list(job_ids))
            growth = decide_growth(batch.incoming, known, frontier, heads)
            if growth.rows:
                await queries.copy_entries(connection, growth.rows)
                await queries.insert_nodes(connection, growth.nodes)
                await queries.upsert_jobs(connection, growth.jobs, now_ms)
            await queries.insert_refused(connection, batch.refused, now_ms)
            await queries.update_head(connection, growth.frontier, messages[-1].seq, messages[-1].subject)
        for each in batch.refused:
            log.warning("entry.refused", subject=each.subject, problem=each.problem)
        APPENDED.inc(len(growth.rows))
        DUPLICATES.inc(len(messages) - len(growth.rows) - len(batch.refused))
        REFUSED.inc(len(batch.refused))
        TREE_SIZE.set(growth.frontier.size)
        if growth.closable:
            self._on_closable()
        return growth
