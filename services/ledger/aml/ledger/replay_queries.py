"""What fills a stream again that the broker has lost. Takes a connection, never commits."""

from collections.abc import AsyncIterator

from .database import Connection

PAGE = 1000


async def load_open_jobs(connection: Connection) -> list[str]:
    cursor = await connection.execute(
        "SELECT job_id FROM ledger.jobs WHERE gate_idx IS NULL AND sealed_idx IS NULL ORDER BY job_id"
    )
    return [row[0] for row in await cursor.fetchall()]


async def stream_frame_bodies(connection: Connection) -> AsyncIterator[bytes]:
    """Entries that concern no unit of work, in the order of the log: what says which jobs, keys and boards there are."""
    after = -1
    while True:
        cursor = await connection.execute(
            "SELECT idx, body FROM ledger.entries WHERE unit IS NULL AND idx > %s ORDER BY idx LIMIT %s", (after, PAGE)
        )
        rows = await cursor.fetchall()
        if not rows:
            return
        for row in rows:
            yield row[1]
        after = rows[-1][0]
