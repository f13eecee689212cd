"""`board.csv`: one line a row, for spreadsheets and data frames."""

import csv
import io

from aml.contracts.boards import Board, BoardRow

from .formats import iso_instant

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def board_csv(board: Board) -> bytes:
    """UTF-8. Scores are 0–1 with six decimals, latencies milliseconds, times UTC; an empty cell is "not available"."""
    datasets = sorted({each.name for row in board.rows for each in row.datasets})
    text = io.StringIO(newline="")
    sheet = csv.writer(text, lineterminator="\n")
    sheet.writerow(
        [
            *("rank", "division", "arm", "system", "version", "overall", "overall_low", "overall_high"),
            *(f"{name}_{field}" for name in datasets for field in ("score", "scored", "planned")),
            *("add_p50_ms", "add_p95_ms", "search_p50_ms", "search_p95_ms", "context_tokens"),
            *("approved_at", "job_id", "release_id", "release_digest", "ledger_index", "ledger_leaf"),
        ]
    )
    for row in board.rows:
        sheet.writerow(_cells(row, datasets))
    return text.getvalue().encode()


def _cells(row: BoardRow, datasets: list[str]) -> list[str]:
    tallies = {each.name: each.tally for each in row.datasets}
    cells = [
        str(row.rank), row.subject.division, row.subject.arm, _inert(row.subject.system), _inert(row.subject.version),
        _fraction(row.overall), _fraction(row.interval.low), _fraction(row.interval.high),
    ]  # fmt: skip
    for name in datasets:
        tally = tallies.get(name)
        cells += ["", "", ""] if tally is None else [_fraction(tally.score), str(tally.scored), str(tally.planned)]
    return [
        *cells,
        *(_millis(each) for each in (row.add.p50, row.add.p95, row.search.p50, row.search.p95)),
        *(str(row.context_tokens), iso_instant(row.approved_at), row.job_id),
        *(row.subject.release_id, row.subject.release_digest, str(row.log.index), row.log.leaf),
    ]


def _fraction(millionths: int | None) -> str:
    return "" if millionths is None else f"{millionths // 1_000_000}.{millionths % 1_000_000:06d}"


def _millis(micros: int | None) -> str:
    return "" if micros is None else f"{micros // 1000}.{micros % 1000:03d}"


def _inert(text: str) -> str:
    """A participant's text must not become a formula in somebody's spreadsheet (OWASP, "CSV Injection")."""
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text
