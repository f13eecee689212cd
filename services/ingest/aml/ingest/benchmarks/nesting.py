"""Deep nesting is refused before it is parsed: the streaming parser keeps a path for each level, so memory grows with the
square of the depth, and 100 kB of opening brackets would take 20 GB.
"""

from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path

import ijson

from .errors import BundleError

MAX_DEPTH = 256
"""No benchmark here nests deeper than 8."""

_SUSPICION = 5_000
"""Brackets left open, those in text counted too. Truncated code in a conversation leaves some; nesting leaves them all."""
_BLOCK_BYTES = 64 * 1024


def require_shallow(path: Path, file: BufferedReader) -> None:
    """Raises `BundleError`. Counts brackets at 1 GB/s, and walks the structure only where that count is suspicious."""
    if _looks_deep(file):
        file.seek(0)
        _walk(path, file)
    file.seek(0)


def _looks_deep(file: BufferedReader) -> bool:
    left_open = 0
    for block in _blocks(file):
        opened = block.count(b"[") + block.count(b"{")
        if left_open + opened > _SUSPICION and left_open + _highest(block) > _SUSPICION:
            return True
        left_open += opened - block.count(b"]") - block.count(b"}")
    return False


def _highest(block: bytes) -> int:
    """The most brackets open at once within the block, counted from its start."""
    level = top = 0
    for byte in block.translate(None, delete=_NO_BRACKETS):
        level += 1 if byte in b"[{" else -1
        top = max(top, level)
    return top


def _walk(path: Path, file: BufferedReader) -> None:
    depth = 0
    try:
        for event, _ in ijson.basic_parse(file):
            depth += event in ("start_array", "start_map")
            depth -= event in ("end_array", "end_map")
            if depth > MAX_DEPTH:
                raise BundleError(path, None, None, f"nests deeper than {MAX_DEPTH} levels")
    except ijson.JSONError:
        return  # the reader says where it breaks off, and no deeper than this


def _blocks(file: BufferedReader) -> Iterator[bytes]:
    while block := file.read(_BLOCK_BYTES):
        yield block


_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
