"""`<board_id>.rows.json`: the rows as the pages show them, with what `board.json` leaves to its reader to work out.

`board.json` is the record and what is verified; this file follows from it, from the log entries of its rows, and from the
disclosures. The comparison on the board's page reads it too.
"""

import msgspec
from msgspec import Struct

from aml.contracts.boards import BoardRow
from aml.contracts.envelope import Count, Digest, Micros, Millionths, Token
from aml.contracts.seals import Interval, Tally
from aml.contracts.vocabulary import Arm, Capability, Division, Track
from aml.publisher.division_tables import dataset_names, is_complete, shared_ranks_of, tokens_per_question
from aml.publisher.formats import iso_instant
from aml.publisher.shown_board import ShownBoard, Surroundings, board_digest


class ShownScore(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Score and interval in millionths; None where nothing was scored."""

    score: Millionths | None
    interval: Interval | None
    scored: Count
    planned: Count


class ShownRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    job_id: Token
    system: str
    version: str
    organisation: str | None
    division: Division
    arm: Arm
    rank: Count
    """Strict: only equal scores share it."""
    shared_rank: Count
    """Shared with rows that cannot be told from the leader of their group (`aml.rules.shared_ranks`)."""
    complete: bool
    overall: Millionths
    interval: Interval
    datasets: dict[str, ShownScore]
    capabilities: dict[Capability, ShownScore]
    search_p50: Micros | None
    search_p95: Micros | None
    tokens_per_question: Count | None
    approved_at: str
    """RFC 3339, UTC."""
    page: str
    badge: str


class ShownRows(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    board_id: Token
    title: str
    version: Count
    digest: Digest
    """SHA-256 of the `board.json` that this follows from."""
    track: Track
    release_id: Token
    release_digest: Digest
    comparable: bool
    cycle_id: Token | None
    rows: tuple[ShownRow, ...]


def board_rows(shown: ShownBoard, around: Surroundings) -> ShownRows:
    board = shown.board
    cycle = around.cycle_of(board)
    shared = shared_ranks_of(board)
    names = dataset_names(board)
    return ShownRows(
        board_id=shown.board_id,
        title=shown.title,
        version=board.version,
        digest=board_digest(board),
        track=board.track,
        release_id=board.release_id,
        release_digest=board.release_digest,
        comparable=board.comparable,
        cycle_id=cycle.cycle_id if cycle is not None else None,
        rows=tuple(_row(row, shown, around, shared[row.job_id], names) for row in board.rows),
    )


def board_rows_json(rows: ShownRows) -> bytes:
    return msgspec.json.encode(rows, order="sorted")


def _row(row: BoardRow, shown: ShownBoard, around: Surroundings, rank: int, names: tuple[str, ...]) -> ShownRow:
    return ShownRow(
        job_id=row.job_id,
        system=row.subject.system,
        version=row.subject.version,
        organisation=around.organisation(row),
        division=row.subject.division,
        arm=row.subject.arm,
        rank=row.rank,
        shared_rank=rank,
        complete=is_complete(row, names),
        overall=row.overall,
        interval=row.interval,
        datasets={each.name: _of_tally(each.tally) for each in row.datasets},
        capabilities={
            each.capability: ShownScore(
                score=each.score, interval=each.interval, scored=each.scored, planned=each.planned
            )
            for each in shown.capabilities[row.job_id]
        },
        search_p50=row.search.p50,
        search_p95=row.search.p95,
        tokens_per_question=tokens_per_question(row),
        approved_at=iso_instant(row.approved_at),
        page=f"systems/{row.job_id}.html",
        badge=f"badges/{row.job_id}.svg",
    )


def _of_tally(tally: Tally) -> ShownScore:
    return ShownScore(score=tally.score, interval=tally.interval, scored=tally.scored, planned=tally.planned)
