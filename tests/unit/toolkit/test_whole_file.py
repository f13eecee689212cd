"""What was there stands until the new one is whole."""

from pathlib import Path

import pytest

from aml.toolkit.whole_file import whole_file


def test_it_takes_the_place_of_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_bytes(b"old")

    with whole_file(path) as file:
        file.write(b"new")
        assert path.read_bytes() == b"old"

    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_one_that_breaks_off_leaves_nothing_and_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_bytes(b"old")

    with pytest.raises(TypeError), whole_file(path) as file:
        file.writelines([b"ne", "w"])  # type: ignore[list-item]

    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), whole_file(tmp_path / "no" / "result.json"):
        pytest.fail("the block is not entered")
