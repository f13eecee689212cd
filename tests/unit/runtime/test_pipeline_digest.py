"""The code's fingerprint: the same for the same files, another for any changed, moved or added one."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from aml.runtime import pipeline_digest as module
from aml.runtime.pipeline_digest import PIPELINE_PACKAGES, pipeline_digest


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "sub").mkdir()
    (tmp_path / "one.py").write_text("A = 1\n")
    (tmp_path / "sub" / "two.py").write_text("B = 2\n")
    monkeypatch.setattr(module, "_folder_of", lambda package: tmp_path if package == "aml.rules" else None)
    pipeline_digest.cache_clear()
    yield tmp_path
    pipeline_digest.cache_clear()


def fresh() -> str:
    pipeline_digest.cache_clear()
    return pipeline_digest()


def test_it_is_a_digest_and_stays_the_same_in_a_process() -> None:
    assert re.fullmatch("[0-9a-f]{64}", pipeline_digest())
    assert pipeline_digest() is pipeline_digest()


def test_the_toolkit_decides_no_score_and_is_not_in_it() -> None:
    assert "aml.toolkit" not in PIPELINE_PACKAGES
    assert "aml.examples" not in PIPELINE_PACKAGES
    assert {"aml.contracts", "aml.rules", "aml.judge"} <= set(PIPELINE_PACKAGES)


def test_the_same_files_have_the_same_digest(folder: Path) -> None:
    assert fresh() == fresh()


def test_files_that_are_no_source_do_not_count(folder: Path) -> None:
    before = fresh()
    (folder / "note.txt").write_text("x")
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "one.pyc").write_bytes(b"x")
    assert fresh() == before


def test_a_changed_an_added_and_a_moved_file_each_give_another(folder: Path) -> None:
    digests = [fresh()]
    (folder / "one.py").write_text("A = 2\n")
    digests.append(fresh())
    (folder / "three.py").write_text("")
    digests.append(fresh())
    (folder / "three.py").rename(folder / "sub" / "three.py")
    digests.append(fresh())
    assert len(set(digests)) == len(digests)


def test_text_cannot_move_from_one_file_to_the_next_unnoticed(folder: Path) -> None:
    (folder / "sub" / "two.py").unlink()
    (folder / "one.py").write_text("ab")
    (folder / "two.py").write_text("c")
    before = fresh()
    (folder / "one.py").write_text("a")
    (folder / "two.py").write_text("bc")
    assert fresh() != before
