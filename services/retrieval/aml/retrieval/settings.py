"""What the retrieval service reads from its environment."""

from msgspec import Struct, field

from aml.runtime.settings import (
    EvidenceSettings,
    HttpSettings,
    LogSettings,
    NatsSettings,
    NetworkSettings,
    ReleasesSettings,
)


class RetrievalSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    evidence: EvidenceSettings
    files: ReleasesSettings = field(default_factory=ReleasesSettings)
    http: HttpSettings = field(default_factory=HttpSettings)
    nats: NatsSettings = field(default_factory=NatsSettings)
    log: LogSettings = field(default_factory=LogSettings)
    network: NetworkSettings = field(default_factory=NetworkSettings)
