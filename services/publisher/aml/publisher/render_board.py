"""From boards to the bytes of a site. A pure function: the same boards give the same files, and no clock is asked."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from aml.contracts.boards import BoardRow

from .catalogue import LANGUAGES
from .division_tables import shared_ranks_of
from .feeds.atom import atom_feed
from .feeds.board_csv import board_csv
from .feeds.board_rows import board_rows, board_rows_json
from .shown_board import Files, ShownBoard, Surroundings, board_digest, board_json
from .site.board_page import board_page, latest_approval
from .site.cycle_page import cycle_pages
from .site.pages import Pages
from .site.score_lines import score_groups
from .site.system_page import badge, histories, system_of, system_page
from .site_index import SiteBoard, SiteIndex

_STATIC = Path(__file__).parent / "static"
_STATIC_FILES = ("style.css", "page.js", "board.js", "compare.js", "theme.js", "icon.svg")

NOWHERE = Surroundings()


def render_site(boards: Sequence[ShownBoard], around: Surroundings = NOWHERE) -> Files:
    """With one board the front page is that board's; with several it lists them. The first one is also `board.json`."""
    files: Files = {name: (_STATIC / name).read_bytes() for name in _STATIC_FILES}
    files["proofs/check_proof.py"] = (_STATIC / "check_proof.py").read_bytes()
    shared = {job_id: rank for shown in boards for job_id, rank in shared_ranks_of(shown.board).items()}
    for shown in boards:
        files[f"{shown.board_id}.json"] = board_json(shown.board)
        files[f"{shown.board_id}.csv"] = board_csv(shown.board)
        files[f"{shown.board_id}.rows.json"] = board_rows_json(board_rows(shown, around))
        for row in shown.board.rows:
            files[f"proofs/{row.job_id}.json"] = _proof_file(row, shown)
            files[f"badges/{row.job_id}.svg"] = badge(row, shared[row.job_id])
    if boards:
        for suffix in ("json", "csv", "rows.json"):
            files[f"board.{suffix}"] = files[f"{boards[0].board_id}.{suffix}"]
    files["boards.json"] = msgspec.json.format(msgspec.json.encode(_index_of(boards), order="sorted"), indent=2)
    past = histories(boards, shared)
    groups = {row.job_id: score_groups(shown.gates[row.job_id].result) for shown in boards for row in shown.board.rows}
    for language in LANGUAGES:
        pages = Pages(language, has_cycles=bool(around.cycles))
        files |= _around_systems(pages, boards, around)
        for shown in boards:
            for row in shown.board.rows:
                rank, history = shared[row.job_id], past[system_of(row)]
                files |= system_page(pages, shown, row, around, rank=rank, groups=groups[row.job_id], history=history)
    return files


def _around_systems(pages: Pages, boards: Sequence[ShownBoard], around: Surroundings) -> Files:
    """All pages of one language but those of the systems."""
    when = latest_approval(boards)
    files = cycle_pages(pages, boards, around, when=when)
    files[f"{pages.folder}feed.xml"] = atom_feed(boards, around, pages.t, folder=pages.folder)
    for shown in boards:
        files |= board_page(pages, shown, around, many=len(boards) > 1)
    front = f"{pages.folder}index.html"
    if len(boards) == 1:
        files[front] = files[f"{pages.folder}{boards[0].board_id}.html"]
    else:
        cycles = {shown.board_id: around.cycle_of(shown.board) for shown in boards}
        files |= pages.page("index.html", "index.html", boards=boards, cycles=cycles, when=when)
    return files


def _index_of(boards: Sequence[ShownBoard]) -> SiteIndex:
    return SiteIndex(
        boards=tuple(
            SiteBoard(
                board_id=shown.board_id,
                title=shown.title,
                track=shown.board.track,
                release_id=shown.board.release_id,
                release_digest=shown.board.release_digest,
                comparable=shown.board.comparable,
                version=shown.board.version,
                rows=len(shown.board.rows),
                digest=board_digest(shown.board),
                basis=shown.basis,
            )
            for shown in boards
        )
    )


def _proof_file(row: BoardRow, shown: ShownBoard) -> bytes:
    proof = {
        "job_id": row.job_id,
        "entry": shown.entries[row.job_id],
        "log": row.log,
        "checkpoint": shown.board.checkpoint,
    }
    return msgspec.json.format(msgspec.json.encode(proof), indent=2)
