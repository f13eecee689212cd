"""`<board_id>.csv`: one line a row, for spreadsheets and data frames."""

import csv
import io
from collections.abc import Mapping

from aml.contracts.boards import Board, BoardRow
from aml.publisher.division_tables import dataset_names, shared_ranks_of, tokens_per_question
from aml.publisher.formats import iso_instant

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def board_csv(board: Board) -> bytes:
    """UTF-8. Scores are 0–1 with six decimals, latencies milliseconds, times UTC; an empty cell is "not available".

    `rank` counts equal scores only, `shared_rank` is the one that the page shows.
    """
    datasets = sorted(dataset_names(board))
    shared = shared_ranks_of(board)
    text = io.StringIO(newline="")
    sheet = csv.writer(text, lineterminator="\n")
    sheet.writerow(
        [
            *("rank", "shared_rank", "division", "arm", "system", "version", "overall", "overall_low", "overall_high"),
            *(
                _inert(f"{name}_{field}")
                for name in datasets
                for field in ("score", "low", "high", "scored", "planned")
            ),
            *("add_p50_ms", "add_p95_ms", "search_p50_ms", "search_p95_ms", "context_tokens", "tokens_per_question"),
            *("approved_at", "job_id", "release_id", "release_digest", "ledger_index", "ledger_leaf"),
        ]
    )
    for row in board.rows:
        sheet.writerow(_cells(row, datasets, shared))
    return text.getvalue().encode()


def _cells(row: BoardRow, datasets: list[str], shared: Mapping[str, int]) -> list[str]:
    tallies = {each.name: each.tally for each in row.datasets}
    cells = [
        str(row.rank), str(shared[row.job_id]), row.subject.division, row.subject.arm,
        _inert(row.subject.system), _inert(row.subject.version),
        _fraction(row.overall), _fraction(row.interval.low), _fraction(row.interval.high),
    ]  # fmt: skip
    for name in datasets:
        tally = tallies.get(name)
        if tally is None:
            cells += [""] * 5
            continue
        ends = (tally.interval.low, tally.interval.high) if tally.interval is not None else (None, None)
        cells += [_fraction(tally.score), *(_fraction(each) for each in ends), str(tally.scored), str(tally.planned)]
    tokens = tokens_per_question(row)
    return [
        *cells,
        *(_millis(each) for each in (row.add.p50, row.add.p95, row.search.p50, row.search.p95)),
        *(str(row.context_tokens), "" if tokens is None else str(tokens), iso_instant(row.approved_at)),
        *(_inert(row.job_id), row.subject.release_id, row.subject.release_digest, str(row.log.index), row.log.leaf),
    ]


def _fraction(millionths: int | None) -> str:
    return "" if millionths is None else f"{millionths // 1_000_000}.{millionths % 1_000_000:06d}"


def _millis(micros: int | None) -> str:
    return "" if micros is None else f"{micros // 1000}.{micros % 1000:03d}"


def _inert(text: str) -> str:
    """A participant's text must not become a formula in somebody's spreadsheet (OWASP, "CSV Injection")."""
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text
