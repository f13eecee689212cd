"""What the judge reads from its environment."""

from pathlib import Path

from msgspec import Struct, field

from aml.runtime.settings import EvidenceSettings, HttpSettings, LogSettings, NatsSettings, ReleasesSettings


class OpenAiSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Needed only for releases that answer or judge with a model."""

    base_url: str | None = None
    api_keys_file: Path | None = None
    """One key a line; calls rotate over them."""


class JudgeSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    evidence: EvidenceSettings
    files: ReleasesSettings = field(default_factory=ReleasesSettings)
    http: HttpSettings = field(default_factory=HttpSettings)
    nats: NatsSettings = field(default_factory=NatsSettings)
    log: LogSettings = field(default_factory=LogSettings)
    openai: OpenAiSettings = field(default_factory=OpenAiSettings)
    answer_concurrency: int = 32
    """Answers in flight over all replicas."""
    scoring_concurrency: int = 32
    """Verdicts in flight over all replicas; a release's judge may cap its own calls lower."""
