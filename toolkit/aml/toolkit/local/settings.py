"""What a user can say about the local stack in `AML_*` variables."""

from pathlib import Path

from msgspec import Struct, field

from .postgres_programs import Source


class GivenNats(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    url: str | None = None
    """A broker that runs already; none is started then."""
    token_file: Path | None = None


class GivenDatabase(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    url: str | None = None
    """A database that runs already; none is started then."""
    password_file: Path | None = None


class StackSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    postgres: Source = "wheel"
    nats: GivenNats = field(default_factory=GivenNats)
    database: GivenDatabase = field(default_factory=GivenDatabase)
