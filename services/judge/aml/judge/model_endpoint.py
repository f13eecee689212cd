"""The operator's model endpoint, read from the settings' files."""

from aml.runtime.settings import SettingsError

from .model_calls.openai_client import OpenAiEndpoint
from .settings import OpenAiSettings


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
