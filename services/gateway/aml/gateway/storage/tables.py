"""The gateway's tables as its statements know them. The migrations make them; a test holds the two together.

Defaults and constraints stand in the migrations alone: nothing here creates a table.
"""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
)
from sqlalchemy.types import UserDefinedType

metadata = MetaData(schema="gateway")

_MOMENT = DateTime(timezone=True)


class TransactionId(UserDefinedType[int]):
    """Postgres's 64-bit transaction id."""

    cache_ok = True

    def get_col_spec(self, **_: Any) -> str:
        return "xid8"


installation = Table(
    "installation",
    metadata,
    Column("one", Boolean, primary_key=True),
    Column("installation_id", Text, nullable=False),
)

api_key = Table(
    "api_key",
    metadata,
    Column("key_id", Text, primary_key=True),
    Column("role", Text, nullable=False),
    Column("label", Text, nullable=False),
    Column("prefix", Text),
    Column("hash", LargeBinary),
    Column("created_at", _MOMENT, nullable=False),
    Column("revoked_at", _MOMENT),
)

access_request = Table(
    "access_request",
    metadata,
    Column("access_id", Text, primary_key=True),
    Column("created_at", _MOMENT, nullable=False),
    Column("application", LargeBinary, nullable=False),
    Column("secret_id", Text),
    Column("claim_hash", LargeBinary, nullable=False),
    Column("for_key_id", Text),
    Column("state", Text, nullable=False),
    Column("decided_at", _MOMENT),
    Column("decided_by", Text),
    Column("reason", Text),
    Column("key_id", Text),
    Column("version_id", Text),
    Column("claimed_at", _MOMENT),
)

system_version = Table(
    "system_version",
    metadata,
    Column("version_id", Text, primary_key=True),
    Column("key_id", Text, nullable=False),
    Column("system", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("track", Text, nullable=False),
    Column("division", Text, nullable=False),
    Column("arm", Text, nullable=False),
    Column("own_run", Boolean, nullable=False),
    Column("target", LargeBinary),
    Column("max_add_concurrency", Integer, nullable=False),
    Column("max_search_concurrency", Integer, nullable=False),
    Column("created_at", _MOMENT, nullable=False),
)

job = Table(
    "job",
    metadata,
    Column("job_id", Text, primary_key=True),
    Column("key_id", Text, nullable=False),
    Column("version_id", Text, nullable=False),
    Column("mode", Text, nullable=False),
    Column("arm", Text, nullable=False),
    Column("track", Text, nullable=False),
    Column("run_label", Text, nullable=False),
    Column("release_id", Text, nullable=False),
    Column("release_digest", Text, nullable=False),
    Column("datasets", LargeBinary, nullable=False),
    Column("add_concurrency", Integer, nullable=False),
    Column("search_concurrency", Integer, nullable=False),
    Column("requested_at", _MOMENT, nullable=False),
    Column("state", Text, nullable=False),
    Column("ended_at", _MOMENT),
    Column("sealed", Boolean, nullable=False),
    Column("failure_stage", Text),
    Column("failure_reason", Text),
    Column("failure_detail", Text),
    Column("gate", Text),
    Column("seal", Text),
    Column("reviews", Integer, nullable=False),
    Column("decision", Text),
    Column("decided_at", _MOMENT),
    Column("evidence_shredded", Boolean, nullable=False),
)

review = Table(
    "review",
    metadata,
    Column("job_id", Text, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("decision", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("reviewer", Text, nullable=False),
    Column("decided_at", _MOMENT, nullable=False),
)

release_lock = Table(
    "release_lock",
    metadata,
    Column("release_id", Text, primary_key=True),
    Column("release_digest", Text, primary_key=True),
    Column("pipeline_digest", Text, primary_key=True),
    Column("locked_at", _MOMENT, nullable=False),
)

idempotency = Table(
    "idempotency",
    metadata,
    Column("scope", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("request_hash", LargeBinary, nullable=False),
    Column("answer", LargeBinary),
    Column("created_at", _MOMENT, nullable=False),
)

outbox = Table(
    "outbox",
    metadata,
    Column("seq", BigInteger, primary_key=True),
    Column("xid", TransactionId, nullable=False),
    Column("event", LargeBinary, nullable=False),
    Column("published_at", _MOMENT),
    Column("refused", Text),
)

fact = Table(
    "fact",
    metadata,
    Column("job_id", Text, primary_key=True),
    Column("kind", SmallInteger, primary_key=True),
    Column("unit", Text, primary_key=True),
    Column("retries", Integer, nullable=False),
)

job_progress = Table(
    "job_progress",
    metadata,
    Column("job_id", Text, primary_key=True),
    Column("planned_at", _MOMENT),
    Column("samples", BigInteger, nullable=False),
    Column("chunks", BigInteger, nullable=False),
    Column("questions", BigInteger, nullable=False),
    Column("chunks_added", BigInteger, nullable=False),
    Column("samples_ingested", BigInteger, nullable=False),
    Column("opened", BigInteger, nullable=False),
    Column("searched", BigInteger, nullable=False),
    Column("answered", BigInteger, nullable=False),
    Column("correct", BigInteger, nullable=False),
    Column("incorrect", BigInteger, nullable=False),
    Column("graded", BigInteger, nullable=False),
    Column("unscored", BigInteger, nullable=False),
    Column("unscored_by_platform", BigInteger, nullable=False),
    Column("requeued", BigInteger, nullable=False),
    Column("parked", BigInteger, nullable=False),
    Column("retries", BigInteger, nullable=False),
    Column("first_add_at", _MOMENT),
    Column("last_at", _MOMENT, nullable=False),
)

unit = Table(
    "unit",
    metadata,
    Column("job_id", Text, primary_key=True),
    Column("unit", Text, primary_key=True),
    Column("dataset", Text),
    Column("sample", Text),
    Column("item", Integer),
    Column("category", Text),
    Column("outcome", Text),
    Column("score", Integer),
    Column("rule", Text),
    Column("evidence_recall", Integer),
    Column("stage", Text),
    Column("reason", Text),
    Column("detail", Text),
    Column("returned", Integer),
    Column("search_attempts", Integer),
    Column("search_micros", BigInteger),
    Column("context_items", Integer),
    Column("prompt_tokens", Integer),
    Column("answer_micros", BigInteger),
    Column("answer_calls", Integer),
    Column("judge_calls", Integer),
)

job_result = Table(
    "job_result",
    metadata,
    Column("job_id", Text, primary_key=True),
    Column("passed", Boolean, nullable=False),
    Column("event", LargeBinary, nullable=False),
)

parked = Table(
    "parked",
    metadata,
    Column("job_id", Text, primary_key=True),
    Column("unit", Text, primary_key=True),
    Column("stage", Text, nullable=False),
    Column("trigger", Text, nullable=False),
    Column("error", Text, nullable=False),
    Column("parked_at", _MOMENT, nullable=False),
    Column("requeued_at", _MOMENT),
)

board = Table(
    "board",
    metadata,
    Column("board_id", Text, primary_key=True),
    Column("version", BigInteger, primary_key=True),
    Column("rows", BigInteger, nullable=False),
    Column("tree_size", BigInteger, nullable=False),
    Column("published_at", _MOMENT, nullable=False),
)
