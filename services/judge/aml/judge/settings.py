"""What the judge reads from its environment."""

from pathlib import Path

from msgspec import Struct, field

from aml.runtime.settings import (
    EvidenceSettings,
    HttpSettings,
    LogSettings,
    NatsSettings,
    ReleasesSettings,
    SettingsError,
)

from .model_calls.openai_client import OpenAiEndpoint


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


def endpoint_of(settings: OpenAiSettings) -> OpenAiEndpoint | None:
    """None where no endpoint is configured. Raises `SettingsError` for half of one."""
    if settings.base_url is None:
        return None
    if settings.api_keys_file is None:
        raise SettingsError("AML_OPENAI_API_KEYS_FILE", "is not set, and AML_OPENAI_BASE_URL is")
    try:
        keys = tuple(line.strip() for line in settings.api_keys_file.read_text("ascii").splitlines() if line.strip())
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError("AML_OPENAI_API_KEYS_FILE", f"cannot be read: {type(error).__name__}") from None
    if not keys:
        raise SettingsError("AML_OPENAI_API_KEYS_FILE", "names a file without a key")
    return OpenAiEndpoint(base_url=settings.base_url, keys=keys)
