import hashlib
from pathlib import Path

import pytest

from aml.ingest.benchmarks import survey
from aml.ingest.benchmarks.practice.__main__ import main
from aml.ingest.benchmarks.practice.write_bundle import FULL_SHA256, SMOKE_SHA256, write_practice_bundle


@pytest.mark.parametrize(("smoke", "digest"), [(False, FULL_SHA256), (True, SMOKE_SHA256)])
def test_the_bundle_has_the_same_bytes_for_ever(tmp_path: Path, smoke: bool, digest: str) -> None:
    path = tmp_path / "practice"
    assert write_practice_bundle(path, smoke=smoke) == digest
    assert hashlib.sha256(path.read_bytes()).hexdigest() == digest
    assert [entry.name for entry in tmp_path.iterdir()] == ["practice"]


def test_the_written_bundle_passes_its_own_survey(tmp_path: Path) -> None:
    path = tmp_path / "practice"
    write_practice_bundle(path, smoke=False)
    counts = survey("practice", path)
    assert (counts.samples, counts.sessions, counts.questions) == (10, 120, 140)


def test_the_command_writes_and_prints_the_digest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "smoke"
    assert main(["--out", str(path), "--smoke"]) == 0
    assert capsys.readouterr().out == f"{SMOKE_SHA256}  {path}\n"


def test_the_command_says_why_it_cannot_write(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--out", str(tmp_path / "none" / "file")]) == 1
    assert "cannot be written: No such file or directory" in capsys.readouterr().err
