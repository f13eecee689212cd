"""Answers as tables for people and as JSON for programs."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from aml.toolkit.shown_text import shown

NUMBERS = frozenset({"#", "n", "scored", "score", "used", "limit", "questions", "bytes", "place", "waiting"})
"""Headings whose column is set to the right."""


def print_table(console: Console, headings: Sequence[str], rows: Iterable[Sequence[object]], *, empty: str) -> None:
    """`empty` is what is said where there is no row."""
    table = Table(box=None, pad_edge=False)
    for heading in headings:
        table.add_column(heading, justify="right" if heading in NUMBERS else "left", overflow="fold")
    for row in rows:
        table.add_row(*(escape(cell(value)) for value in row))
    if table.row_count:
        console.print(table)
    else:
        console.print(empty, markup=False, highlight=False, soft_wrap=True)


def cell(value: object) -> str:
    match value:
        case None:
            return "—"
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case datetime():
            return moment(value)
        case _:
            return shown(str(value))


def moment(at: datetime | None) -> str:
    return "—" if at is None else f"{at:%Y-%m-%d %H:%M} UTC"


def as_json(answer: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(answer, enc_hook=str), indent=2).decode()
