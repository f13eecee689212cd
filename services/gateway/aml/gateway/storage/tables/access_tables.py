"""Who may run what: keys, applications and the versions that came of them."""

from sqlalchemy import Boolean, Column, Integer, LargeBinary, Table, Text

from .schema import MOMENT, metadata

api_key = Table(
    "api_key",
    metadata,
    Column("key_id", Text, primary_key=True),
    Column("role", Text, nullable=False),
    Column("label", Text, nullable=False),
    Column("prefix", Text),
    Column("hash", LargeBinary),
    Column("created_at", MOMENT, nullable=False),
    Column("expires_at", MOMENT),
    Column("first_used_at", MOMENT),
    Column("rotations", Integer, nullable=False),
    Column("revoked_at", MOMENT),
    Column("revoked_by", Text),
    Column("revoked_reason", Text),
)

former_key = Table(
    "former_key",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("prefix", Text, nullable=False),
    Column("key_id", Text, nullable=False),
    Column("ended_at", MOMENT, nullable=False),
)

access_request = Table(
    "access_request",
    metadata,
    Column("access_id", Text, primary_key=True),
    Column("created_at", MOMENT, nullable=False),
    Column("application", LargeBinary, nullable=False),
    Column("secret_id", Text),
    Column("claim_hash", LargeBinary, nullable=False),
    Column("for_key_id", Text),
    Column("state", Text, nullable=False),
    Column("decided_at", MOMENT),
    Column("decided_by", Text),
    Column("reason", Text),
    Column("key_id", Text),
    Column("version_id", Text),
    Column("claimed_at", MOMENT),
    Column("endpoint_check", LargeBinary),
    Column("override_reason", Text),
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
    Column("created_at", MOMENT, nullable=False),
    Column("application", LargeBinary),
    Column("endpoints_revision", Integer, nullable=False),
    Column("changes", Integer, nullable=False),
    Column("key_replacements", Integer, nullable=False),
    Column("withdrawn_at", MOMENT),
    Column("withdrawn_reason", Text),
)

retired_secret = Table(
    "retired_secret",
    metadata,
    Column("secret_id", Text, primary_key=True),
    Column("version_id", Text),
    Column("retired_at", MOMENT, nullable=False),
)
