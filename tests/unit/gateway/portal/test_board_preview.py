"""The publisher's files, read by somebody who does not trust them to be there."""

from pathlib import Path

from tests.unit.gateway.portal.conftest import write_board

from aml.gateway.portal.board_preview import read_previews


def test_participants_rows_without_baselines(tmp_path: Path) -> None:
    write_board(tmp_path, "1-aaaaaaaa", "Mine")

    (board,) = read_previews(tmp_path / "current")

    assert board.systems == 1
    assert [(row.system, row.overall, row.low) for row in board.rows] == [("Mine", 500_000, 400_000)]


def test_no_board_a_broken_index_and_a_missing_file(tmp_path: Path) -> None:
    assert read_previews(tmp_path / "current") == ()

    write_board(tmp_path, "1-aaaaaaaa", "Mine")
    (tmp_path / "current" / "textual-x.json").unlink()
    assert read_previews(tmp_path / "current") == ()

    (tmp_path / "current" / "boards.json").write_text("{")
    assert read_previews(tmp_path / "current") == ()
