import stat
from pathlib import Path

import pytest

from aml.runtime.key_encryption import read_key_file
from aml.toolkit.evidence.errors import KeyFileFixed, NothingToRetire
from aml.toolkit.evidence.key_file import begin_rotation, require_rotation, retire_older

FIRST = bytes(range(32))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "evidence.kek"
    path.write_text(FIRST.hex())
    path.chmod(0o640)
    return path


def test_a_version_is_added_once_and_the_older_one_goes_at_the_end(file: Path) -> None:
    assert begin_rotation(file)
    both = read_key_file(file)
    assert (both[1], sorted(both)) == (FIRST, [1, 2])

    assert not begin_rotation(file)
    assert read_key_file(file) == both

    assert retire_older(file) == (1,)
    assert read_key_file(file) == {2: both[2]}
    assert begin_rotation(file)
    assert sorted(read_key_file(file)) == [2, 3]


def test_the_file_keeps_its_mode_and_leaves_no_draft(file: Path) -> None:
    begin_rotation(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert list(file.parent.iterdir()) == [file]


def test_there_is_nothing_to_finish_without_a_rotation(file: Path) -> None:
    with pytest.raises(NothingToRetire):
        require_rotation(file)


def test_a_file_that_cannot_be_replaced_is_named(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(KeyFileFixed, match="Read-only"):
        begin_rotation(file)
    assert read_key_file(file) == {1: FIRST}
    assert list(file.parent.iterdir()) == [file]
