"""The rows of a board as its page shows them: a table a division, with the baselines as guests among the participants."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from aml.contracts.boards import Board, BoardRow
from aml.contracts.seals import Tally
from aml.contracts.vocabulary import Division
from aml.rules.shared_ranks import Standing, shared_ranks

from .collect_board import DIVISION_ORDER

Counts = tuple[int, int]
"""Scored and planned questions."""


@dataclass(frozen=True, kw_only=True)
class Line:
    row: BoardRow
    rank: int | None
    """Shared with those that it cannot be told from (`aml.rules.shared_ranks`); None for a guest."""
    shared: bool
    """Another row of the division has the same rank."""

    @property
    def guest(self) -> bool:
        """A baseline in a participants' table: at its score's place, without a rank."""
        return self.rank is None

    @cached_property
    def tallies(self) -> dict[str, Tally]:
        return {each.name: each.tally for each in self.row.datasets}

    @cached_property
    def counts(self) -> Counts:
        tallies = self.tallies.values()
        return sum(each.scored for each in tallies), sum(each.planned for each in tallies)

    @property
    def tokens(self) -> int | None:
        return tokens_per_question(self.row)


@dataclass(frozen=True, kw_only=True)
class Column:
    """A dataset's scores in one table."""

    name: str
    counts: Counts | None
    """Where all rows have the same; then the head says them once."""


@dataclass(frozen=True, kw_only=True)
class DivisionTable:
    division: Division
    lines: tuple[Line, ...]
    columns: tuple[Column, ...]
    counts: Counts | None
    """Of Overall, where all rows have the same."""


def division_tables(board: Board) -> tuple[DivisionTable, ...]:
    baselines = [row for row in board.rows if row.subject.division == "baseline"]
    names = dataset_names(board)
    tables = []
    for division in DIVISION_ORDER:
        members = [row for row in board.rows if row.subject.division == division]
        if not members:
            continue
        held = ranks_of(members)
        lines = [Line(row=row, rank=rank, shared=held.count(rank) > 1) for row, rank in zip(members, held, strict=True)]
        lines += [Line(row=row, rank=None, shared=False) for row in baselines if division != "baseline"]
        lines.sort(key=lambda line: (-line.row.overall, line.guest))
        tables.append(
            DivisionTable(
                division=division,
                lines=tuple(lines),
                columns=tuple(Column(name=name, counts=_common(_dataset_counts(lines, name))) for name in names),
                counts=_common(line.counts for line in lines),
            )
        )
    return tuple(tables)


def ranks_of(members: list[BoardRow]) -> list[int]:
    """Of one division's rows, which a board lists from the best score down."""
    return shared_ranks([Standing(score=row.overall, low=row.interval.low, high=row.interval.high) for row in members])


def shared_ranks_of(board: Board) -> dict[str, int]:
    """By job, within each row's own division."""
    lines = (line for table in division_tables(board) for line in table.lines)
    return {line.row.job_id: line.rank for line in lines if line.rank is not None}


def is_complete(row: BoardRow, names: Iterable[str]) -> bool:
    """Every dataset of the board, every question of it."""
    tallies = {each.name: each.tally for each in row.datasets}
    return all((tally := tallies.get(name)) is not None and 0 < tally.planned == tally.scored for name in names)


def tokens_per_question(row: BoardRow) -> int | None:
    """Context tokens, rounded half up; None where no question was scored."""
    scored = sum(each.tally.scored for each in row.datasets)
    return (2 * row.context_tokens + scored) // (2 * scored) if scored else None


def dataset_names(board: Board) -> tuple[str, ...]:
    """In the order of their first appearance, which is the release's."""
    return tuple(dict.fromkeys(each.name for row in board.rows for each in row.datasets))


def _dataset_counts(lines: Iterable[Line], name: str) -> Iterable[Counts]:
    return ((tally.scored, tally.planned) for line in lines if (tally := line.tallies.get(name)) is not None)


def _common(counts: Iterable[Counts]) -> Counts | None:
    distinct = set(counts)
    return distinct.pop() if len(distinct) == 1 else None
