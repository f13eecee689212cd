from pathlib import Path

import pytest

from aml.toolkit.demo.board_folder import FolderTaken, copy_board, require_free


@pytest.fixture
def served(tmp_path: Path) -> Path:
    """A version and the link that is served, as the publisher has them."""
    version = tmp_path / "versions" / "3-abc"
    (version / "proofs").mkdir(parents=True)
    (version / "boards.json").write_text("{}")
    (version / "proofs" / "job-1.json").write_text("1")
    (tmp_path / "current").symlink_to(Path("versions") / "3-abc")
    return tmp_path / "current"


def test_the_files_are_copied_and_not_the_link(served: Path, tmp_path: Path) -> None:
    folder = copy_board(served, tmp_path / "out" / "board")

    assert not folder.is_symlink()
    assert (folder / "proofs" / "job-1.json").read_text() == "1"


def test_an_earlier_board_is_replaced_whole(served: Path, tmp_path: Path) -> None:
    folder = copy_board(served, tmp_path / "board")
    (folder / "old.html").write_text("")

    copy_board(served, folder)

    assert not (folder / "old.html").exists()
    assert [path.name for path in tmp_path.glob(".board*")] == []


def test_anything_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("years of work")
    (tmp_path / "file").write_text("")

    for taken in (tmp_path / "thesis", tmp_path / "file"):
        with pytest.raises(FolderTaken, match=r"--board: .* choose another folder"):
            require_free(taken)
    require_free(tmp_path / "absent")
