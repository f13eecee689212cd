import errno
import os
from pathlib import Path

import obstore
import pytest
from obstore.store import LocalStore

from aml.runtime.local_objects import read_object, write_object


def test_what_is_written_is_read(tmp_path: Path) -> None:
    write_object(tmp_path, "evidence/job/ab/abcd", b"payload")

    assert read_object(tmp_path, "evidence/job/ab/abcd") == b"payload"
    assert [path.name for path in (tmp_path / "evidence/job/ab").iterdir()] == ["abcd"]


def test_obstore_reads_the_same_object(tmp_path: Path) -> None:
    write_object(tmp_path, "a/b", b"payload")

    assert bytes(obstore.get(LocalStore(prefix=tmp_path), "a/b").bytes()) == b"payload"


def test_an_object_is_replaced_whole(tmp_path: Path) -> None:
    write_object(tmp_path, "a", b"long old payload")
    write_object(tmp_path, "a", b"new")

    assert read_object(tmp_path, "a") == b"new"


def test_a_missing_object_is_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_object(tmp_path, "a/b")


def test_a_full_disk_leaves_the_old_object_and_no_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_object(tmp_path, "a", b"old")

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="No space left"):
        write_object(tmp_path, "a", b"new")

    assert read_object(tmp_path, "a") == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_an_unfinished_object_is_not_listed(tmp_path: Path) -> None:
    write_object(tmp_path, "a", b"whole")
    (tmp_path / "b#1234").write_bytes(b"half")

    listed = [entry["path"] for batch in obstore.list(LocalStore(prefix=tmp_path)) for entry in batch]

    assert listed == ["a"]
