"""The first rows of each published board, read from the publisher's files. A board that cannot be read is not shown."""

from pathlib import Path

import msgspec
from msgspec import Struct

from aml.contracts.vocabulary import Division, Track

SHOWN_ROWS = 3


class PreviewRow(Struct, frozen=True, kw_only=True):
    job_id: str
    system: str
    version: str
    division: Division
    overall: int
    """Millionths."""
    low: int
    high: int


class Preview(Struct, frozen=True, kw_only=True):
    board_id: str
    title: str
    track: Track
    comparable: bool
    systems: int
    """Participants' rows; baselines are not counted."""
    rows: tuple[PreviewRow, ...]


class _Listed(Struct):
    board_id: str
    title: str
    track: Track
    comparable: bool


class _Index(Struct):
    boards: tuple[_Listed, ...]


class _Interval(Struct):
    low: int
    high: int


class _Subject(Struct):
    system: str
    version: str
    division: Division


class _Row(Struct):
    job_id: str
    subject: _Subject
    overall: int
    interval: _Interval


class _Board(Struct):
    rows: tuple[_Row, ...]


def read_previews(folder: Path) -> tuple[Preview, ...]:
    """Of the site in `folder`; nothing where there is none yet."""
    try:
        index = msgspec.json.decode((folder / "boards.json").read_bytes(), type=_Index)
    except (OSError, msgspec.DecodeError):
        return ()
    return tuple(found for listed in index.boards if (found := _preview(folder, listed)) is not None)


def _preview(folder: Path, listed: _Listed) -> Preview | None:
    try:
        board = msgspec.json.decode((folder / f"{listed.board_id}.json").read_bytes(), type=_Board)
    except (OSError, msgspec.DecodeError):
        return None
    rows = sorted(
        (row for row in board.rows if row.subject.division != "baseline"), key=lambda row: row.overall, reverse=True
    )
    return Preview(
        board_id=listed.board_id,
        title=listed.title,
        track=listed.track,
        comparable=listed.comparable,
        systems=len(rows),
        rows=tuple(
            PreviewRow(
                job_id=row.job_id,
                system=row.subject.system,
                version=row.subject.version,
                division=row.subject.division,
                overall=row.overall,
                low=row.interval.low,
                high=row.interval.high,
            )
            for row in rows[:SHOWN_ROWS]
        ),
    )
