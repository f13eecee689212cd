"""The rows of a board as its page shows them: a table a division, with the baselines as guests among the participants."""

from dataclasses import dataclass

from aml.contracts.boards import Board, BoardRow
from aml.contracts.seals import Tally
from aml.contracts.vocabulary import Division

from .collect_board import DIVISION_ORDER


@dataclass(frozen=True, kw_only=True)
class Line:
    row: BoardRow
    guest: bool
    """A baseline in a participants' table: at its score's place, without a rank."""
    shared: bool
    """Another row of the division has the same rank."""

    @property
    def tallies(self) -> dict[str, Tally]:
        return {each.name: each.tally for each in self.row.datasets}

    @property
    def scored(self) -> int:
        return sum(each.tally.scored for each in self.row.datasets)

    @property
    def planned(self) -> int:
        return sum(each.tally.planned for each in self.row.datasets)

    @property
    def tokens(self) -> int | None:
        """Context tokens a question, rounded half up."""
        return (2 * self.row.context_tokens + self.scored) // (2 * self.scored) if self.scored else None


@dataclass(frozen=True, kw_only=True)
class DivisionTable:
    division: Division
    lines: tuple[Line, ...]


def division_tables(board: Board) -> tuple[DivisionTable, ...]:
    baselines = [row for row in board.rows if row.subject.division == "baseline"]
    tables = []
    for division in DIVISION_ORDER:
        members = [row for row in board.rows if row.subject.division == division]
        if not members:
            continue
        guests = [] if division == "baseline" else baselines
        held = [row.rank for row in members]
        lines = [Line(row=row, guest=False, shared=held.count(row.rank) > 1) for row in members]
        lines += [Line(row=row, guest=True, shared=False) for row in guests]
        lines.sort(key=lambda line: (-line.row.overall, line.guest))
        tables.append(DivisionTable(division=division, lines=tuple(lines)))
    return tuple(tables)


def dataset_names(board: Board) -> tuple[str, ...]:
    """In the order of their first appearance, which is the release's."""
    return tuple(dict.fromkeys(each.name for row in board.rows for each in row.datasets))
