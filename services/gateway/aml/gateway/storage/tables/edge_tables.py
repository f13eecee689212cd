"""What the gateway needs for itself: its name, its locks, its memory of requests, its letters to the stream."""

from sqlalchemy import BigInteger, Boolean, Column, LargeBinary, Table, Text

from .schema import MOMENT, TransactionId, metadata

installation = Table(
    "installation",
    metadata,
    Column("one", Boolean, primary_key=True),
    Column("installation_id", Text, nullable=False),
)

release_lock = Table(
    "release_lock",
    metadata,
    Column("release_id", Text, primary_key=True),
    Column("release_digest", Text, primary_key=True),
    Column("pipeline_digest", Text, primary_key=True),
    Column("locked_at", MOMENT, nullable=False),
)

idempotency = Table(
    "idempotency",
    metadata,
    Column("scope", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("request_hash", LargeBinary, nullable=False),
    Column("answer", LargeBinary),
    Column("created_at", MOMENT, nullable=False),
)

outbox = Table(
    "outbox",
    metadata,
    Column("seq", BigInteger, primary_key=True),
    Column("xid", TransactionId, nullable=False),
    Column("event", LargeBinary, nullable=False),
    Column("published_at", MOMENT),
    Column("refused", Text),
)
