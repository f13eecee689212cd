"""What the ingest service reads from its environment."""

from msgspec import Struct, field

from aml.runtime.settings import (
    EvidenceSettings,
    FilesSettings,
    HttpSettings,
    LogSettings,
    NatsSettings,
    NetworkSettings,
)


class IngestSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    evidence: EvidenceSettings
    files: FilesSettings
    http: HttpSettings = field(default_factory=HttpSettings)
    nats: NatsSettings = field(default_factory=NatsSettings)
    log: LogSettings = field(default_factory=LogSettings)
    network: NetworkSettings = field(default_factory=NetworkSettings)
