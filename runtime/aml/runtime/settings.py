"""Settings of a process: one struct, nested by concern, read once from `AML_*` variables.

A field `nats.url` is read from `AML_NATS_URL`. Fields without a default are required.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar, get_type_hints

import msgspec
from msgspec import NODEFAULT, Struct

PREFIX = "AML"

S = TypeVar("S", bound=Struct)


class SettingsError(Exception):
    """A process cannot start with the variables it was given. `variable` names the one to change."""

    def __init__(self, variable: str, problem: str) -> None:
        super().__init__(f"{variable} {problem}")
        self.variable = variable
        self.problem = problem


class HttpSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    host: str = "127.0.0.1"
    port: int = 8000


class NatsSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    url: str = "nats://127.0.0.1:4222"
    token_file: Path | None = None
    """File with the broker's token; None where the broker asks for none."""
    replicas: int = 1
    """Copies of the stream: 1 on one machine, 3 on a cluster."""


class DatabaseSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    url: str = "postgresql://127.0.0.1:5432/aml"
    """libpq form. A password belongs into `password_file` or the service's own secret store."""
    password_file: Path | None = None


class EvidenceSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    url: str
    """`file:///…` or `s3://bucket/prefix` (then the usual `AWS_*` variables apply)."""
    kek_file: Path
    """32 random bytes in hex: the key-encryption key. Needed by every service that reads or writes evidence."""


class LogSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["json", "console"] = "json"
    """`console` is for people."""


class NetworkSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    allow_private: bool = False
    """Participants on private and loopback addresses, and on plain HTTP there: for local development only."""


class ReleasesSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    releases: Path | None = None
    """A folder of release folders beside the bundled ones."""


class FilesSettings(ReleasesSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    datasets: Path
    """Dataset bundles, each under its SHA-256: `<datasets>/<sha256>`."""


def read_settings(shape: type[S], environ: Mapping[str, str]) -> S:
    """Raises `SettingsError` naming the variable that is missing or malformed."""
    return _read(shape, environ, PREFIX)


def variables_of(shape: type[Struct], prefix: str = PREFIX) -> dict[str, bool]:
    """Every variable that `shape` reads, and whether it is required. The compose file is held against this."""
    found: dict[str, bool] = {}
    hints = get_type_hints(shape)
    for field in msgspec.structs.fields(shape):
        name = f"{prefix}_{field.name.upper()}"
        kind = hints[field.name]
        if isinstance(kind, type) and issubclass(kind, Struct):
            found |= variables_of(kind, name)
        else:
            found[name] = field.default is NODEFAULT and field.default_factory is NODEFAULT
    return found


def _read(shape: type[S], environ: Mapping[str, str], prefix: str) -> S:
    values: dict[str, Any] = {}
    hints = get_type_hints(shape)
    for field in msgspec.structs.fields(shape):
        name = f"{prefix}_{field.name.upper()}"
        kind = hints[field.name]
        if isinstance(kind, type) and issubclass(kind, Struct):
            values[field.name] = _read(kind, environ, name)
        elif (text := environ.get(name)) is not None and text != "":
            values[field.name] = _convert(name, text, kind)
        elif field.default is NODEFAULT and field.default_factory is NODEFAULT:
            raise SettingsError(name, "is not set; this service needs it")
    return shape(**values)


def _convert(name: str, text: str, kind: Any) -> Any:
    if kind in (Path, Path | None):
        return Path(text)
    if kind == tuple[str, ...]:
        return tuple(part.strip() for part in text.split(",") if part.strip())
    try:
        return msgspec.convert(text, kind, strict=False)
    except msgspec.ValidationError as error:
        raise SettingsError(name, f"has an unusable value: {error}") from None
