"""Lines of CSV (RFC 4180) that a spreadsheet reads as text and numbers, never as formulas. Pure."""

import csv
import io
from collections.abc import Sequence

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def csv_line(cells: Sequence[object]) -> bytes:
    """None is an empty cell; numbers stay numbers."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\r\n").writerow([_cell(cell) for cell in cells])
    return written.getvalue().encode()


def _cell(value: object) -> object:
    """Text that a spreadsheet would calculate gets an apostrophe before it (OWASP, "CSV injection")."""
    if isinstance(value, str) and value.lstrip(" \u00a0\u3000").startswith(_FORMULA):
        return f"'{value}"
    return "" if value is None else value
