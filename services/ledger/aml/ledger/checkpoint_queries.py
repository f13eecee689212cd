"""The signer's SQL: the rows that it reads again, and the checkpoints. Nothing here commits: the caller's transaction does."""

from msgspec import Struct

from aml.rules.merkle import Frontier

from .database import Connection
from .rows import fetch_all, fetch_one

_SIGNING_LOCK = 0x616D6C02


class SignedRow(Struct, frozen=True, kw_only=True):
    size: int
    root: bytes
    note: str


async def lock_signing(connection: Connection) -> None:
    """Until the transaction ends nobody else signs or publishes. Appending goes on."""
    await connection.execute("SELECT pg_advisory_xact_lock(%s)", (_SIGNING_LOCK,))


async def load_head(connection: Connection) -> Frontier:
    row = await fetch_one(connection, "SELECT size, frontier FROM ledger.head")
    return Frontier.from_bytes(row[0], row[1])


async def load_signable(connection: Connection, start: int, stop: int) -> list[tuple[int, bytes, bytes]]:
    """Index, leaf and bytes of the entries `[start, stop)`, in order."""
    return await fetch_all(
        connection,
        "SELECT idx, leaf, body FROM ledger.entries WHERE idx >= %s AND idx < %s ORDER BY idx",
        (start, stop),
    )


async def load_checkpoint(connection: Connection, size: int | None = None) -> SignedRow | None:
    """The newest checkpoint, or the one of `size`."""
    return await _signed_row(connection, "SELECT size, root, note FROM ledger.checkpoints", size)


async def load_cosigned(connection: Connection, size: int | None = None) -> SignedRow | None:
    """The newest checkpoint with a quorum of witnesses, or the one of `size`."""
    query = "SELECT size, root, c.note FROM ledger.cosigned c JOIN ledger.checkpoints USING (size)"
    return await _signed_row(connection, query, size)


async def insert_checkpoint(connection: Connection, size: int, root: bytes, note: str, now_ms: int) -> None:
    await connection.execute(
        "INSERT INTO ledger.checkpoints (size, root, note, at) VALUES (%s, %s, %s, %s)", (size, root, note, now_ms)
    )


async def insert_cosigned(connection: Connection, size: int, note: str, now_ms: int) -> None:
    """Of two that asked the witnesses at once, the first one's lines stay."""
    await connection.execute(
        "INSERT INTO ledger.cosigned (size, note, at) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING", (size, note, now_ms)
    )


async def _signed_row(connection: Connection, query: str, size: int | None) -> SignedRow | None:
    which = " ORDER BY size DESC LIMIT 1" if size is None else " WHERE size = %s"
    rows = await fetch_all(connection, query + which, () if size is None else (size,))
    return SignedRow(size=rows[0][0], root=rows[0][1], note=rows[0][2]) if rows else None
