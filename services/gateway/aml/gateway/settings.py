"""What the gateway reads from its environment."""

from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct, field

from aml.rules.retention import RETENTION_DAYS
from aml.runtime.settings import (
    DatabaseSettings,
    EvidenceSettings,
    FilesSettings,
    HttpSettings,
    LogSettings,
    NatsSettings,
    NetworkSettings,
)

from .access.check_turns import IntakeSettings
from .edge.rate_limit import RateSettings


class LedgerSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    url: str = "http://127.0.0.1:8005"
    """The ledger's internal address; its checkpoint, key and proofs go out through `/api/v1/log/`."""


class OperatorSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    key_file: Path | None = None
    """Holds the first operator key. Only its hash enters the database."""


class BoardSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    folder: Path = Path("board")
    """The publisher's folder; `<folder>/current` is what `/board/` shows."""


class DonationSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    folder: Path = Path("donations")
    """Quarantine for packages of offered benchmarks. On a volume of its own; every gateway process needs the same one."""
    max_bytes: Annotated[int, Meta(ge=1)] = 64 * 1024 * 1024
    """Of one package."""
    total_bytes: Annotated[int, Meta(ge=1)] = 10 * 1024 * 1024 * 1024
    """Of all of them; beyond it nothing more is taken."""


class GatewayFiles(FilesSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    cycles: Path | None = None
    """A folder of cycle files in place of the bundled one."""


class ReleaseSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    default: str = "practice"
    """Which release a job runs under when it names none."""


class RetentionSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    days: Annotated[int, Meta(ge=0)] = RETENTION_DAYS
    """After a job's end its evidence is destroyed; 0 keeps it for ever."""


class GatewaySettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    evidence: EvidenceSettings
    files: GatewayFiles
    http: HttpSettings = field(default_factory=HttpSettings)
    nats: NatsSettings = field(default_factory=NatsSettings)
    database: DatabaseSettings = field(default_factory=DatabaseSettings)
    log: LogSettings = field(default_factory=LogSettings)
    ledger: LedgerSettings = field(default_factory=LedgerSettings)
    operator: OperatorSettings = field(default_factory=OperatorSettings)
    board: BoardSettings = field(default_factory=BoardSettings)
    donations: DonationSettings = field(default_factory=DonationSettings)
    network: NetworkSettings = field(default_factory=NetworkSettings)
    rate: RateSettings = field(default_factory=RateSettings)
    intake: IntakeSettings = field(default_factory=IntakeSettings)
    release: ReleaseSettings = field(default_factory=ReleaseSettings)
    retention: RetentionSettings = field(default_factory=RetentionSettings)
