"""Results, decisions about them and the boards that show them."""

from sqlalchemy import BigInteger, Boolean, Column, Integer, LargeBinary, Table, Text

from .schema import MOMENT, metadata

job_result = Table(
    "job_result",
    metadata,
    Column("job_id", Text, primary_key=True),
    Column("passed", Boolean, nullable=False),
    Column("event", LargeBinary, nullable=False),
)

review = Table(
    "review",
    metadata,
    Column("job_id", Text, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("decision", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("reviewer", Text, nullable=False),
    Column("decided_at", MOMENT, nullable=False),
)

board = Table(
    "board",
    metadata,
    Column("board_id", Text, primary_key=True),
    Column("version", BigInteger, primary_key=True),
    Column("rows", BigInteger, nullable=False),
    Column("tree_size", BigInteger, nullable=False),
    Column("published_at", MOMENT, nullable=False),
)

review_note = Table(
    "review_note",
    metadata,
    Column("job_id", Text, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("author", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("written_at", MOMENT, nullable=False),
)

reviewer_link = Table(
    "reviewer_link",
    metadata,
    Column("key_id", Text, primary_key=True),
    Column("organisation", Text),
    Column("participant_key_id", Text),
    Column("linked_by", Text, nullable=False),
    Column("linked_at", MOMENT, nullable=False),
    Column("links", Integer, nullable=False),
)

deletion_attestation = Table(
    "deletion_attestation",
    metadata,
    Column("job_id", Text, primary_key=True),
    Column("statement", Text, nullable=False),
    Column("attested_by", Text, nullable=False),
    Column("attested_at", MOMENT, nullable=False),
)
