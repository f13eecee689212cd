"""What the ledger reads from its environment."""

from pathlib import Path

from msgspec import Struct, field

from aml.runtime.settings import DatabaseSettings, FilesSettings, HttpSettings, LogSettings, NatsSettings


class SignerSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    key_file: Path
    """The log's Ed25519 key; made when absent. Beside it: `.pub` and `.keys` (public) and `.state` (what was signed last)."""
    origin: str
    """The log's name, host and path without a scheme. It is part of every signature and must never change."""


class LogStoreSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    url: str
    """Where the public log's static files go: `file:///folder` or `s3://bucket/prefix` (then `AWS_*` variables apply)."""
    interval_ms: int = 100
    """At most one checkpoint in so long; a lone one does not wait."""


class WitnessSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    policy_file: Path | None = None
    """A tlog-policy. With one, a checkpoint is published when its quorum of witnesses has cosigned."""


class AppendSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    batch_events: int = 1024
    """One commit a batch: 512 append 9,000 events/s here, 1,024 append 17,000."""
    gather_ms: int = 50
    """How long a batch that is not full waits for more: at most 50 commits and signatures a second."""
    stall_seconds: float = 60.0
    """An open job without a new fact for so long, and with nothing under way, has its missing units requeued."""


class LedgerSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    files: FilesSettings
    signer: SignerSettings
    log_store: LogStoreSettings
    http: HttpSettings = field(default_factory=HttpSettings)
    nats: NatsSettings = field(default_factory=NatsSettings)
    database: DatabaseSettings = field(default_factory=DatabaseSettings)
    log: LogSettings = field(default_factory=LogSettings)
    witness: WitnessSettings = field(default_factory=WitnessSettings)
    append: AppendSettings = field(default_factory=AppendSettings)
