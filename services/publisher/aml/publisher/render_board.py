"""From boards to the bytes of a site. A pure function: the same boards give the same files, and no clock is asked."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from aml.contracts.boards import Board, BoardRow
from aml.contracts.seals import GatePassed
from aml.rules.entry import read_entry

from . import formats
from .board_csv import board_csv
from .catalogue import LANGUAGES, Catalogue, Language, catalogue
from .charts import Mark, Reference, score_against_latency, score_bar
from .division_tables import dataset_names, division_tables
from .site_index import SiteBoard, SiteIndex

_FOLDER = Path(__file__).parent
_STATIC_FILES = ("style.css", "board.js", "theme.js", "icon.svg")
_OTHER: dict[Language, Language] = {"en": "zh", "zh": "en"}

Files = dict[str, bytes]
"""Path inside the site (with `/`) to content."""


@dataclass(frozen=True, kw_only=True)
class ShownBoard:
    board_id: str
    title: str
    basis: str
    board: Board
    entries: Mapping[str, str]
    """The log entry of every row's gate, by job: the text that its leaf is the hash of."""

    def gate(self, job_id: str) -> GatePassed:
        event = read_entry(self.entries[job_id].encode()).event
        assert isinstance(event, GatePassed)
        return event


def board_json(board: Board) -> bytes:
    """`board.json`: sorted names, integers only, so these are its RFC 8785 bytes."""
    return msgspec.json.encode(board, order="sorted")


def board_digest(board: Board) -> str:
    return hashlib.sha256(board_json(board)).hexdigest()


def render_site(boards: Sequence[ShownBoard]) -> Files:
    """With one board the front page is that board's; with several it lists them. The first one is also `board.json`."""
    files: Files = {name: (_FOLDER / "static" / name).read_bytes() for name in _STATIC_FILES}
    files["proofs/check_proof.py"] = (_FOLDER / "static" / "check_proof.py").read_bytes()
    for shown in boards:
        files[f"{shown.board_id}.json"] = board_json(shown.board)
        files[f"{shown.board_id}.csv"] = board_csv(shown.board)
        for row in shown.board.rows:
            files[f"proofs/{row.job_id}.json"] = _proof_file(row, shown)
    if boards:
        files["board.json"] = files[f"{boards[0].board_id}.json"]
        files["board.csv"] = files[f"{boards[0].board_id}.csv"]
    files["boards.json"] = msgspec.json.format(msgspec.json.encode(_index_of(boards), order="sorted"), indent=2)
    for language in LANGUAGES:
        files |= _pages(boards, language)
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


def _pages(boards: Sequence[ShownBoard], language: Language) -> Files:
    pages = _Pages(language)
    files: Files = {}
    if len(boards) == 1:
        files |= pages.page("index.html", "board.html", **_board_page(boards[0], pages.t, many=False))
    else:
        files |= pages.page("index.html", "index.html", boards=boards, when=_latest(boards))
    for shown in boards:
        address = f"{shown.board_id}.html"
        files |= pages.page(address, "board.html", **_board_page(shown, pages.t, many=len(boards) > 1))
        for row in shown.board.rows:
            files |= pages.page(
                f"systems/{row.job_id}.html",
                "system.html",
                shown=shown,
                row=row,
                result=shown.gate(row.job_id).result,
                board_page=f"../{address}",
                when=formats.utc_minute(row.approved_at),
            )
    return files


class _Pages:
    """Renders pages of one language: English at the top, Chinese under `zh/`, each page linked to its twin."""

    def __init__(self, language: Language) -> None:
        self.t = catalogue(language)
        self._prefix = "" if language == "en" else f"{language}/"
        self._other_prefix = "" if _OTHER[language] == "en" else f"{_OTHER[language]}/"

    def page(self, address: str, template: str, **values: object) -> Files:
        depth = address.count("/")
        root = "../" * (depth + self._prefix.count("/"))
        text = (
            _environment()
            .get_template(template)
            .render(
                t=self.t,
                root=root,
                home=f"{'../' * depth}index.html",
                other_page=f"{root}{self._other_prefix}{address}",
                **values,
            )
        )
        return {f"{self._prefix}{address}": text.encode()}


def _board_page(shown: ShownBoard, t: Catalogue, *, many: bool) -> dict[str, object]:
    board = shown.board
    rows = [row for row in board.rows if row.subject.division != "baseline"]
    baselines = [row for row in board.rows if row.subject.division == "baseline"]
    marks = [
        Mark(
            label=row.subject.system,
            kind=row.subject.division,
            score=row.overall,
            low=row.interval.low,
            high=row.interval.high,
            micros=row.search.p95,
        )
        for row in rows
        if row.search.p95 is not None
    ]
    return {
        "shown": shown,
        "board": board,
        "many": many,
        "tables": division_tables(board),
        "datasets": dataset_names(board),
        "private": any(row.subject.allow_private for row in board.rows),
        "has_baselines": bool(baselines),
        "kinds": list(dict.fromkeys(mark.kind for mark in marks)),
        "tree_size": board.checkpoint.split("\n")[1] if board.checkpoint else "0",
        "when": _latest([shown]),
        "scatter": score_against_latency(
            marks,
            [Reference(label=t(f"arm.{row.subject.arm}"), score=row.overall) for row in baselines],
            title=t("chart.title"),
            x_title=t("chart.x"),
            y_title=t("chart.y"),
        ),
    }


def _latest(boards: Sequence[ShownBoard]) -> str | None:
    """The page's time is that of its latest approval: rendering again changes nothing."""
    times = [row.approved_at for shown in boards for row in shown.board.rows]
    return formats.utc_minute(max(times)) if times else None


def _margin(row: BoardRow) -> str:
    return formats.percent(max(row.interval.high - row.overall, row.overall - row.interval.low))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: dict[str, Callable[..., str]] = {
        "percent": formats.percent,
        "duration": formats.duration,
        "count": lambda number: formats.count(int(number)),
        "utc_date": formats.utc_date,
        "utc_minute": formats.utc_minute,
        "iso_instant": formats.iso_instant,
        "margin": _margin,
    }
    environment.filters.update(filters)
    environment.globals["score_bar"] = score_bar
    return environment
