"""Settings come from `AML_*` variables, and a wrong one is named."""

from pathlib import Path

import pytest
from msgspec import Struct, field

from aml.runtime.settings import (
    DatabaseSettings,
    EvidenceSettings,
    FilesSettings,
    HttpSettings,
    LogSettings,
    NatsSettings,
    SettingsError,
    read_settings,
    variables_of,
)


class Inner(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    enabled: bool = False
    names: tuple[str, ...] = ()


class Example(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    evidence: EvidenceSettings
    files: FilesSettings
    http: HttpSettings = field(default_factory=HttpSettings)
    log: LogSettings = field(default_factory=LogSettings)
    inner: Inner = field(default_factory=Inner)


NEEDED = {"AML_EVIDENCE_URL": "file:///e", "AML_EVIDENCE_KEK_FILE": "/secrets/kek", "AML_FILES_DATASETS": "/data"}


def test_required_variables_are_read_and_the_rest_has_defaults() -> None:
    settings = read_settings(Example, NEEDED)
    assert settings.evidence.kek_file == Path("/secrets/kek")
    assert settings.http == HttpSettings()
    assert settings.files.releases is None


def test_every_kind_of_value_is_converted() -> None:
    environ = NEEDED | {
        "AML_HTTP_PORT": "9001",
        "AML_INNER_ENABLED": "true",
        "AML_INNER_NAMES": "one, two,,",
        "AML_FILES_RELEASES": "/releases",
    }
    settings = read_settings(Example, environ)
    assert settings.http.port == 9001
    assert settings.inner == Inner(enabled=True, names=("one", "two"))
    assert settings.files.releases == Path("/releases")


@pytest.mark.parametrize("missing", NEEDED)
def test_a_missing_variable_is_named(missing: str) -> None:
    with pytest.raises(SettingsError, match=f"^{missing} is not set") as caught:
        read_settings(Example, {name: value for name, value in NEEDED.items() if name != missing})
    assert caught.value.variable == missing


def test_an_empty_variable_counts_as_missing() -> None:
    with pytest.raises(SettingsError, match="AML_EVIDENCE_URL is not set"):
        read_settings(Example, NEEDED | {"AML_EVIDENCE_URL": ""})


@pytest.mark.parametrize(("name", "value"), [("AML_HTTP_PORT", "eighty"), ("AML_INNER_ENABLED", "perhaps")])
def test_a_malformed_variable_is_named_with_what_is_wrong(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=f"^{name} has an unusable value: Expected") as caught:
        read_settings(Example, NEEDED | {name: value})
    assert caught.value.variable == name


@pytest.mark.parametrize(("name", "value"), [("AML_LOG_LEVEL", "loud"), ("AML_LOG_FORMAT", "xml")])
def test_a_word_that_is_none_of_those_known_is_refused(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=f"^{name} has an unusable value"):
        read_settings(Example, NEEDED | {name: value})


def test_variables_of_other_programs_are_left_alone() -> None:
    assert read_settings(Example, NEEDED | {"HTTP_PORT": "1", "AML_UNKNOWN": "1"}) == read_settings(Example, NEEDED)


def test_every_variable_is_listed_with_whether_it_is_required() -> None:
    assert variables_of(Example) == {
        "AML_EVIDENCE_URL": True,
        "AML_EVIDENCE_KEK_FILE": True,
        "AML_FILES_DATASETS": True,
        "AML_FILES_RELEASES": False,
        "AML_HTTP_HOST": False,
        "AML_HTTP_PORT": False,
        "AML_LOG_LEVEL": False,
        "AML_LOG_FORMAT": False,
        "AML_INNER_ENABLED": False,
        "AML_INNER_NAMES": False,
    }


@pytest.mark.parametrize("shape", [HttpSettings, NatsSettings, DatabaseSettings, LogSettings])
def test_what_every_service_has_needs_no_variable(shape: type[Struct]) -> None:
    assert read_settings(shape, {}) == shape()
