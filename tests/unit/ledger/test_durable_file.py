from pathlib import Path

import pytest

from aml.ledger.durable_file import create_private_file, replace_private_file


def test_the_first_of_two_that_create_a_file_wins(tmp_path: Path) -> None:
    create_private_file(tmp_path / "key", "first")
    create_private_file(tmp_path / "key", "second")
    assert (tmp_path / "key").read_text() == "first"
    assert [each.name for each in tmp_path.iterdir()] == ["key"]


def test_a_replaced_file_is_whole_and_the_owners_alone(tmp_path: Path) -> None:
    replace_private_file(tmp_path / "state", "long text " * 10_000)
    replace_private_file(tmp_path / "state", "short")
    assert (tmp_path / "state").read_text() == "short"
    assert (tmp_path / "state").stat().st_mode & 0o777 == 0o600


def test_a_folder_that_is_not_there_is_an_error_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        replace_private_file(tmp_path / "absent/state", "text")
    assert list(tmp_path.iterdir()) == []
