"""The board's folder: complete versions beside each other, and one symlink that says which of them is served.

A version is written under a name that nobody reads, flushed, and renamed; then the link is replaced by a rename. A crash
at any point leaves the board that was served before.
"""

import contextlib
import hashlib
import os
import re
import secrets
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import structlog

from aml.contracts.boards import Board
from aml.rules.checkpoint import Checkpoint, NoteInvalid, parse_checkpoint, parse_note

from .shown_board import Files
from .site_index import SiteBoard, SiteIndex

log = structlog.get_logger()

KEPT_VERSIONS = 5
_ABANDONED_SECONDS = 3600.0
_NAME = re.compile(r"([0-9]+)-[0-9a-f]{8}")


class StoredBoard(msgspec.Struct, frozen=True, kw_only=True):
    """A board as it lies in one of the versions, with the log entries of its rows by job."""

    listed: SiteBoard
    board: Board
    entries: dict[str, str]


class _ProofFile(msgspec.Struct):
    entry: str


class BoardFolder:
    """`<folder>/versions/<number>-<digest8>/…` and `<folder>/current`. All methods block; several publishers may share it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._versions = folder / "versions"
        self._link = folder / "current"

    def current(self) -> Path | None:
        """The version that is served, or None."""
        try:
            return self._versions / self._link.readlink().name
        except FileNotFoundError:
            return None

    def stage(self, files: Files) -> Path:
        """Writes a complete version that is not served yet. The same files have the same name and are written once."""
        self._versions.mkdir(parents=True, exist_ok=True)
        index = msgspec.json.decode(files["boards.json"], type=SiteIndex)
        target = self._versions / f"{index.number}-{_digest_of(files)[:8]}"
        if target.is_dir():
            return target
        draft = self._versions / f".new-{target.name}-{secrets.token_hex(4)}"
        try:
            _write_all(draft, files)
            try:
                draft.rename(target)
            except OSError:
                if not target.is_dir():  # else another publisher has just put the same files there
                    raise
        finally:
            shutil.rmtree(draft, ignore_errors=True)
        _flush(self._versions)
        return target

    def swap(self, version: Path) -> None:
        """From here on `version` is served. Older versions beyond the last few are removed."""
        fresh = self._folder / f".current-{secrets.token_hex(4)}"
        fresh.symlink_to(Path("versions") / version.name)
        fresh.replace(self._link)
        _flush(self._folder)
        self._prune()

    def find(self, board_id: str, version: int, digest: str | None) -> StoredBoard | None:
        """A board's stored version; with `digest` None whatever is served under that version number."""
        for place in self._readable(served_only=digest is None):
            for listed in _index_in(place).boards:
                known = (listed.board_id, listed.version) == (board_id, version)
                if known and digest in (None, listed.digest):
                    with contextlib.suppress(OSError, msgspec.DecodeError, KeyError):
                        return _load(place, listed)
        return None

    def served(self, board_id: str) -> SiteBoard | None:
        """How the board is listed now; None when it is not."""
        for place in self._readable(served_only=True):
            return next((each for each in _index_in(place).boards if each.board_id == board_id), None)
        return None

    def checkpoints(self) -> list[Checkpoint]:
        """Those that the served boards stand under."""
        found = []
        for place in self._readable(served_only=True):
            for listed in _index_in(place).boards:
                with contextlib.suppress(OSError, msgspec.DecodeError, NoteInvalid):
                    board = msgspec.json.decode((place / f"{listed.board_id}.json").read_bytes(), type=Board)
                    found.append(parse_checkpoint(parse_note(board.checkpoint).text))
        return found

    def _readable(self, *, served_only: bool) -> Iterator[Path]:
        current = self.current()
        if current is not None and current.is_dir():
            yield current
        if not served_only:
            yield from (each for each in self._in_order() if each != current)

    def _in_order(self) -> list[Path]:
        """Complete versions, the newest number first."""
        if not self._versions.is_dir():
            return []
        named = [
            (int(found[1]), each.name) for each in self._versions.iterdir() if (found := _NAME.fullmatch(each.name))
        ]
        return [self._versions / name for _, name in sorted(named, reverse=True)]

    def _prune(self) -> None:
        current = self.current()
        for each in self._in_order()[KEPT_VERSIONS:]:
            if each != current:
                shutil.rmtree(each, ignore_errors=True)
        for draft in self._versions.glob(".new-*"):
            with contextlib.suppress(FileNotFoundError):
                if time.time() - draft.stat().st_mtime > _ABANDONED_SECONDS:
                    shutil.rmtree(draft, ignore_errors=True)


def _write_all(folder: Path, files: Files) -> None:
    """Everything first, then one flush after the other: the first one carries most of them to the disk."""
    for address, content in files.items():
        path = folder / address
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    for path in folder.rglob("*"):
        _flush(path)
    _flush(folder)


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _digest_of(files: Files) -> str:
    hasher = hashlib.sha256()
    for address in sorted(files):
        for part in (address.encode(), files[address]):
            hasher.update(len(part).to_bytes(8, "big"))
            hasher.update(part)
    return hasher.hexdigest()


def _index_in(version: Path) -> SiteIndex:
    """Empty for a version whose index cannot be read: it then counts as absent."""
    try:
        return msgspec.json.decode((version / "boards.json").read_bytes(), type=SiteIndex)
    except (OSError, msgspec.DecodeError) as error:
        log.warning("board.index_unreadable", version=version.name, error=type(error).__name__)
        return SiteIndex(boards=())


def _load(version: Path, listed: SiteBoard) -> StoredBoard | None:
    data = (version / f"{listed.board_id}.json").read_bytes()
    if hashlib.sha256(data).hexdigest() != listed.digest:
        return None
    board = msgspec.json.decode(data, type=Board)
    entries = {
        row.job_id: msgspec.json.decode((version / "proofs" / f"{row.job_id}.json").read_bytes(), type=_ProofFile).entry
        for row in board.rows
    }
    return StoredBoard(listed=listed, board=board, entries=entries)
