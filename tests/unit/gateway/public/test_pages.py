"""The board's files: only what lies in the folder that `current` points at."""

from pathlib import Path

import pytest

from aml.gateway.public.pages import read_below


@pytest.fixture
def board(tmp_path: Path) -> Path:
    (tmp_path / "secret").write_text("secret")
    version = tmp_path / "board" / "v1"
    (version / "system").mkdir(parents=True)
    (version / "index.html").write_text("one")
    (version / "system" / "index.html").write_text("system")
    (version / "way-out").symlink_to(tmp_path / "secret")
    (tmp_path / "board" / "current").symlink_to("v1")
    return tmp_path / "board" / "current"


def test_files_and_folders_indexes(board: Path) -> None:
    assert read_below(board, "") == (b"one", "index.html")
    assert read_below(board, "index.html") == (b"one", "index.html")
    assert read_below(board, "system/") == (b"system", "index.html")


@pytest.mark.parametrize(
    "wanted", ["../../secret", "way-out", "/etc/passwd", "none", "system/../../../secret", "a\x00b", "x" * 5000, ".."]
)
def test_nothing_else(board: Path, wanted: str) -> None:
    assert read_below(board, wanted) is None


def test_a_swapped_board_shows_at_once(board: Path) -> None:
    other = board.parent / "v2"
    other.mkdir()
    (other / "index.html").write_text("two")

    board.unlink()
    board.symlink_to("v2")

    assert read_below(board, "") == (b"two", "index.html")


def test_no_board_yet(tmp_path: Path) -> None:
    assert read_below(tmp_path / "current", "") is None
