"""Waiting for the public board to show every approved result, as a reader of it would: over HTTP."""

import asyncio
import time
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from aml.contracts.boards import Board
from aml.toolkit.platform import Platform

from .errors import DemoFailed

POLL_SECONDS: Final = 0.2
BOARD_SECONDS: Final = 45.0


class BoardMissing(DemoFailed):
    def __init__(self, missing: frozenset[str], seconds: float, logs: Path) -> None:
        jobs = ", ".join(sorted(missing))
        super().__init__(f"the board did not show {jobs} within {seconds:.0f} s; see {logs / 'publisher.log'}")
        self.missing = missing


class ProofFile(Struct, frozen=True):
    """`proofs/<job>.json`: the log entry behind a row. Its position and proof stand in the row itself."""

    entry: str


class PublicBoard(Struct, frozen=True, kw_only=True):
    board: Board
    entries: dict[str, bytes]
    """Job to the canonical bytes of its log entry."""


async def await_board(platform: Platform, jobs: frozenset[str], logs: Path) -> PublicBoard:
    """Raises `BoardMissing`."""
    deadline = time.monotonic() + BOARD_SECONDS
    while True:
        found = await _read(platform, jobs)
        if isinstance(found, PublicBoard):
            return found
        if time.monotonic() > deadline:
            raise BoardMissing(found, BOARD_SECONDS, logs)
        await asyncio.sleep(POLL_SECONDS)


async def _read(platform: Platform, jobs: frozenset[str]) -> PublicBoard | frozenset[str]:
    """The jobs that are missing, or a board with all of them. Files of two versions are told apart by what is missing."""
    data = await platform.board_file("board.json")
    if data is None:
        return jobs
    board = msgspec.json.decode(data, type=Board)
    if missing := jobs - {row.job_id for row in board.rows}:
        return missing
    entries: dict[str, bytes] = {}
    for row in board.rows:
        proof = await platform.board_file(f"proofs/{row.job_id}.json")
        if proof is None:
            return frozenset({row.job_id})
        entries[row.job_id] = msgspec.json.decode(proof, type=ProofFile).entry.encode()
    return PublicBoard(board=board, entries=entries)
