"""What the publisher reads from `AML_*` variables."""

from pathlib import Path

from msgspec import Struct, field

from aml.runtime.settings import HttpSettings, LogSettings, NatsSettings


class LedgerSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    url: str
    """Base address of the ledger's HTTP interface."""
    verifier_file: Path
    """One line: the C2SP verifier key that checkpoints must be signed with."""
    policy_file: Path | None = None
    """A tlog-policy: with one, a checkpoint also needs the cosignatures of its quorum of witnesses."""


class BoardSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    folder: Path
    """Gets `versions/` and the symlink `current`, which a web server or a CDN serves."""
    url: str | None = None
    """Where `current` is served for the public: feeds and badges then name it. None leaves their links relative."""


class ReleaseFiles(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    releases: Path | None = None
    """A folder of release folders beside the bundled ones; read for titles and quotas only."""
    cycles: Path | None = None
    """A folder of cycle files in place of the bundled one."""


class PublisherSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    ledger: LedgerSettings
    board: BoardSettings
    http: HttpSettings = field(default_factory=HttpSettings)
    nats: NatsSettings = field(default_factory=NatsSettings)
    log: LogSettings = field(default_factory=LogSettings)
    files: ReleaseFiles = field(default_factory=ReleaseFiles)
