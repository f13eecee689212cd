"""The demo's end on the terminal: the board, where it lies, what was verified, and how to verify it oneself."""

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from aml.contracts.boards import Board
from aml.toolkit.evaluation.outcome_table import MISSING, bounds, millis, score
from aml.toolkit.evaluation.result_shown import milliseconds, percent, percents
from aml.toolkit.plain_line import print_line

from .demo_outcome import DemoOutcome

_DIVISIONS = {"open_source": "open source", "commercial": "commercial", "baseline": "baseline"}


def print_demo(console: Console, outcome: DemoOutcome, board: Board) -> None:
    console.print()
    console.print(board_table(board))
    index, *others = (near(path) for path in (outcome.board.index, outcome.board.json, outcome.board.csv))
    _lines(console, ["", f"board     {index}", *(f"          {path}" for path in others)])
    _lines(console, ["", "verified"])
    _lines(console, [f"  {'ok  ' if each.passed else 'FAIL'} {each.check}: {each.detail}" for each in outcome.verified])
    _lines(console, ["", "verify it yourself", f"  {audit_command(outcome)}  # the whole board, offline"])
    _lines(console, [f"  {proof_command(outcome)}"])
    if outcome.stack.kept:
        portal, home = outcome.stack.portal, outcome.stack.home
        _lines(console, ["", f"the stack runs on: {portal}", f"  board      {portal}/board/"])
        _lines(console, [f"  data       {home}", f"  stop it    aml down --home {shlex.quote(str(home))}"])
    _lines(console, ["", *(f"problem: {problem}" for problem in outcome.problems)])
    done = "complete" if outcome.complete else "incomplete"
    _lines(console, [f"{done}: {len(outcome.systems)} systems in {outcome.seconds:.1f} s"])


def board_table(board: Board) -> Table:
    """Fits into 80 columns with one dataset. Divisions are sections, since ranks count within them."""
    datasets = sorted({dataset.name for row in board.rows for dataset in row.datasets})
    title = f"Board version {board.version} · release {escape(board.release_id)}"
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    table.add_column("rank", justify="right", no_wrap=True)
    table.add_column("system")
    for heading in ("Overall (95 % interval)", *datasets, "n", "Add p95", "Search p95"):
        table.add_column(heading, justify="right", no_wrap=True)
    division = None
    for row in board.rows:
        if row.subject.division != division:
            division = row.subject.division
            table.add_row("", _DIVISIONS[division], style="dim italic")
        tallies = {each.name: each.tally for each in row.datasets}
        table.add_row(
            str(row.rank),
            escape(f"{row.subject.system} {row.subject.version}"),
            f"{score(percent(row.overall))} ({bounds(percents(row.interval))})",
            *(score(percent(tallies[each].score)) if each in tallies else MISSING for each in datasets),
            f"{sum(each.scored for each in tallies.values()):,}",
            millis(milliseconds(row.add.p95)),
            millis(milliseconds(row.search.p95)),
        )
    return table


def audit_command(outcome: DemoOutcome) -> str:
    """As one types it after `make demo`, whose `aml` is in `.venv`."""
    program = near(Path(sys.argv[0]).absolute()) if Path(sys.argv[0]).name == "aml" else "aml"
    return f"{program} audit verify {near(outcome.audit.bundle)} --key {near(outcome.audit.key)}"


def proof_command(outcome: DemoOutcome) -> str:
    """It needs Python and nothing of this project."""
    proofs = near(outcome.board.path) / "proofs"
    name, system = next(iter(outcome.systems.items()))
    entry = "" if system.board is None else f", log entry {system.board.log_index}"
    return f"python3 {proofs / 'check_proof.py'} {proofs / system.jobs.full}.json  # {name}{entry}"


def near(path: Path) -> Path:
    """As one types it from here, where that is shorter."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def _lines(console: Console, lines: Sequence[str]) -> None:
    for line in lines:
        print_line(console, line)
