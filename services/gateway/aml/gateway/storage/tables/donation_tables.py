"""Benchmarks that somebody offers, and what was decided about them."""

from sqlalchemy import BigInteger, Column, Integer, LargeBinary, Table, Text

from .schema import MOMENT, metadata

benchmark_proposal = Table(
    "benchmark_proposal",
    metadata,
    Column("proposal_id", Text, primary_key=True),
    Column("created_at", MOMENT, nullable=False),
    Column("proposal", LargeBinary, nullable=False),
    Column("key_id", Text),
    Column("token_hash", LargeBinary, nullable=False),
    Column("state", Text, nullable=False),
    Column("decisions", Integer, nullable=False),
    Column("package_sha256", Text),
    Column("package_bytes", BigInteger),
    Column("package_name", Text),
    Column("package_report", LargeBinary),
    Column("package_file", Text),
    Column("packaged_at", MOMENT),
)

proposal_decision = Table(
    "proposal_decision",
    metadata,
    Column("proposal_id", Text, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("decision", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("reviewer", Text, nullable=False),
    Column("decided_at", MOMENT, nullable=False),
)
