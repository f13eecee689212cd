from pathlib import Path

import pytest
from tests.factories.boards import a_shown_board
from tests.factories.results import a_gate, a_result

from aml.publisher.render_board import render_site
from aml.publisher.shown_board import ShownBoard, board_digest
from aml.publisher.swap_board import KEPT_VERSIONS, BoardFolder


def a_board(score: int = 700_000, version: int = 1) -> ShownBoard:
    from dataclasses import replace

    import msgspec

    shown = a_shown_board([a_gate("a", result=a_result(score))])
    return replace(shown, board=msgspec.structs.replace(shown.board, version=version))


def served(folder: Path) -> str:
    return (folder / "current" / "index.html").read_text("utf-8")


def test_a_swap_serves_the_whole_new_version(tmp_path: Path) -> None:
    folder = BoardFolder(tmp_path)
    files = render_site([a_board()])

    version = folder.stage(files)
    assert folder.current() is None
    folder.swap(version)

    assert folder.current() == version
    assert {p.relative_to(version).as_posix(): p.read_bytes() for p in version.rglob("*") if p.is_file()} == files
    assert served(tmp_path) == files["index.html"].decode()


def test_the_link_is_relative_so_that_the_folder_can_move(tmp_path: Path) -> None:
    folder = BoardFolder(tmp_path / "board")
    folder.swap(folder.stage(render_site([a_board()])))

    (tmp_path / "board").rename(tmp_path / "moved")

    assert "Practice" in served(tmp_path / "moved")


def test_the_same_files_are_one_version(tmp_path: Path) -> None:
    folder = BoardFolder(tmp_path)

    assert folder.stage(render_site([a_board()])) == folder.stage(render_site([a_board()]))
    assert [p.name for p in (tmp_path / "versions").iterdir()] == [folder.stage(render_site([a_board()])).name]


@pytest.mark.parametrize("broken", ["write_bytes", "rename", "symlink_to", "replace"])
def test_a_crash_at_any_step_leaves_the_old_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    folder = BoardFolder(tmp_path)
    folder.swap(folder.stage(render_site([a_board()])))
    before = served(tmp_path)
    original = getattr(Path, broken)
    calls = 0

    def crash(self: Path, *args: object, **kwargs: object) -> object:
        nonlocal calls
        calls += 1
        if broken != "write_bytes" or calls > 7:
            raise OSError(28, "No space left on device")
        return original(self, *args, **kwargs)

    new = render_site([a_board(800_000, version=2)])
    with monkeypatch.context() as patch:
        patch.setattr(Path, broken, crash)
        with pytest.raises(OSError, match="No space"):
            folder.swap(folder.stage(new))
    assert calls
    assert served(tmp_path) == before

    folder.swap(folder.stage(new))
    assert served(tmp_path) == new["index.html"].decode()


def test_the_last_versions_are_kept_and_the_served_one_always(tmp_path: Path) -> None:
    folder = BoardFolder(tmp_path)
    for number in range(1, 9):
        folder.swap(folder.stage(render_site([a_board(500_000 + number, version=number)])))

    kept = sorted(int(each.name.split("-")[0]) for each in (tmp_path / "versions").iterdir())
    assert kept == list(range(9 - KEPT_VERSIONS, 9))


def test_a_board_is_found_by_number_and_digest(tmp_path: Path) -> None:
    folder = BoardFolder(tmp_path)
    first, second = a_board(), a_board(800_000, version=2)
    folder.swap(folder.stage(render_site([first])))
    folder.stage(render_site([second]))

    staged = folder.find(second.board_id, 2, board_digest(second.board))

    assert staged is not None
    assert (staged.board, staged.entries, staged.listed.basis) == (second.board, second.entries, second.basis)
    assert folder.find(second.board_id, 2, "0" * 64) is None
    assert folder.find(second.board_id, 2, None) is None, "it is not served yet"
    assert folder.find(first.board_id, 1, None) is not None
    listed = folder.served(first.board_id)
    assert listed is not None
    assert listed.version == 1


@pytest.mark.parametrize("damage", ["boards.json", "proofs/a.json", "board"])
def test_a_damaged_version_counts_as_absent(tmp_path: Path, damage: str) -> None:
    folder = BoardFolder(tmp_path)
    shown = a_board()
    version = folder.stage(render_site([shown]))
    folder.swap(version)

    (version / (f"{shown.board_id}.json" if damage == "board" else damage)).write_bytes(b"{")

    assert folder.find(shown.board_id, 1, board_digest(shown.board)) is None


def test_nothing_is_served_before_the_first_version(tmp_path: Path) -> None:
    folder = BoardFolder(tmp_path / "not there yet")

    assert folder.current() is None
    assert folder.served("textual-practice-1") is None
    assert folder.find("textual-practice-1", 1, None) is None
