from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.factories.cosigners import a_policy
from tests.factories.results import SignedLog

from aml.publisher.bootstrap import read_policy, read_surroundings, read_verifier_key
from aml.publisher.errors import CheckpointRejected, LedgerUnavailable
from aml.publisher.settings import LedgerSettings, PublisherSettings
from aml.runtime.cycle_folder import CycleError, bundled_cycles
from aml.runtime.settings import SettingsError, read_settings


def settings_for(file: Path) -> LedgerSettings:
    return LedgerSettings(url="http://127.0.0.1:9", verifier_file=file)


def test_the_key_is_read_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "verifier"
    file.write_text(f"{SignedLog().key}\n")

    assert read_verifier_key(settings_for(file)) == SignedLog().key


def test_a_file_that_is_not_there_yet_is_waited_for(tmp_path: Path) -> None:
    with pytest.raises(LedgerUnavailable, match="verifier"):
        read_verifier_key(settings_for(tmp_path / "verifier"))


@pytest.mark.parametrize("content", [b"", b"name+12345678+AAAA", b"\xff\xfe"])
def test_what_is_no_key_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "verifier"
    file.write_bytes(content)

    with pytest.raises(CheckpointRejected, match="verifier file"):
        read_verifier_key(settings_for(file))


@pytest.mark.parametrize("missing", ["AML_LEDGER_URL", "AML_LEDGER_VERIFIER_FILE", "AML_BOARD_FOLDER"])
def test_a_missing_variable_is_named(missing: str) -> None:
    environ = {"AML_LEDGER_URL": "http://l", "AML_LEDGER_VERIFIER_FILE": "/v", "AML_BOARD_FOLDER": "/b"}
    del environ[missing]

    with pytest.raises(SettingsError, match=missing):
        read_settings(PublisherSettings, environ)


def test_the_policy_is_read_where_there_is_one(tmp_path: Path) -> None:
    file = tmp_path / "policy"
    file.write_text(a_policy("x"))
    settings = settings_for(tmp_path / "verifier")

    assert read_policy(settings) is None
    found = read_policy(replace(settings, policy_file=file))
    assert found is not None
    assert found.quorum == "enough"


@pytest.mark.parametrize("content", [None, b"", b"quorum nobody\n", b"\xff"])
def test_a_policy_that_cannot_be_used_is_never_passed_over(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "policy"
    if content is not None:
        file.write_bytes(content)

    with pytest.raises(CheckpointRejected, match="policy of witnesses"):
        read_policy(replace(settings_for(tmp_path / "verifier"), policy_file=file))


def settings_with(tmp_path: Path, **variables: str) -> PublisherSettings:
    environ = {"AML_LEDGER_URL": "http://l", "AML_LEDGER_VERIFIER_FILE": "/v", "AML_BOARD_FOLDER": str(tmp_path)}
    return read_settings(PublisherSettings, environ | variables)


def test_the_bundled_cycles_and_no_address_by_default(tmp_path: Path) -> None:
    around = read_surroundings(settings_with(tmp_path))

    assert [each.cycle_id for each in around.cycles] == ["2026-2"]
    assert around.url is None


def test_a_folder_of_cycles_brings_the_releases_that_it_names_and_are_installed(tmp_path: Path) -> None:
    text = (bundled_cycles() / "2026-2.toml").read_text("utf-8")
    named = text.replace('track = "textual"\ndiv', 'track = "textual"\nrelease_id = "practice"\ndiv', 1)
    named = named.replace('track = "coding"\ndiv', 'track = "coding"\nrelease_id = "not-here"\ndiv', 1)
    (tmp_path / "2026-2.toml").write_text(named, "utf-8")

    around = read_surroundings(
        settings_with(tmp_path, AML_FILES_CYCLES=str(tmp_path), AML_BOARD_URL="https://board.example/")
    )

    assert set(around.releases) == {"practice"}
    assert around.url == "https://board.example"


def test_a_cycle_that_cannot_be_read_stops_the_start(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text("cycle_id = 1")

    with pytest.raises(CycleError, match=r"x\.toml"):
        read_surroundings(settings_with(tmp_path, AML_FILES_CYCLES=str(tmp_path)))
