"""The outbox's rows. Takes a connection, never commits."""

from functools import cache
from typing import Any

from msgspec import Struct
from sqlalchemy import BigInteger, Insert, Select, Update, any_, func, insert, select, update
from sqlalchemy.dialects.postgresql import ARRAY

from .database import Connection
from .statements import execute, fetch_all, fetch_value, given
from .tables import outbox


class WaitingEvent(Struct, frozen=True, kw_only=True):
    seq: int
    event: bytes


@cache
def insert_event() -> Insert:
    return insert(outbox).values(event=given("event")).inline()


async def add_event(connection: Connection, event: bytes) -> None:
    await execute(connection, insert_event(), event=event)


@cache
def select_waiting() -> Select[Any]:
    """Only rows whose transaction lies below the snapshot's xmin: nothing older can still appear before them."""
    return (
        select(*outbox.c["seq", "event"])
        .where(outbox.c.published_at.is_(None), outbox.c.xid < func.pg_snapshot_xmin(func.pg_current_snapshot()))
        .order_by(outbox.c.xid, outbox.c.seq)
        .limit(given("limit"))
    )


async def load_waiting(connection: Connection, limit: int) -> list[WaitingEvent]:
    return await fetch_all(connection, select_waiting(), WaitingEvent, limit=limit)


@cache
def update_published() -> Update:
    return (
        update(outbox).values(published_at=func.now()).where(outbox.c.seq == any_(given("seqs", ARRAY(BigInteger()))))
    )


async def mark_published(connection: Connection, seqs: list[int]) -> None:
    if seqs:
        await execute(connection, update_published(), seqs=seqs)


@cache
def update_refused() -> Update:
    return update(outbox).values(refused=given("refused")).where(outbox.c.seq == given("seq"))


async def mark_refused(connection: Connection, seq: int, refused: str) -> None:
    """Why the stream did not take it."""
    await execute(connection, update_refused(), seq=seq, refused=refused)


@cache
def select_waiting_count() -> Select[Any]:
    return select(func.count()).select_from(outbox).where(outbox.c.published_at.is_(None))


async def count_waiting(connection: Connection) -> int:
    return int(await fetch_value(connection, select_waiting_count()))
