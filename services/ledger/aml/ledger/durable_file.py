"""Files that must be whole or absent after any crash: written aside, fsynced, then put in place."""

import contextlib
import secrets
from collections.abc import Iterable, Sequence
from pathlib import Path

from .disk import Disk

DISK = Disk()
ASIDE_MARK = ".aside-"
"""In the name of a file that is not in its place yet. One that a crash leaves behind is nobody's."""


def create_private_file(path: Path, text: str) -> None:
    """Creates `path` unless it exists; of two processes that try, one wins and both then read the same file."""
    aside = _written_aside(DISK, path, text.encode(), 0o600)
    try:
        DISK.link(aside, path)
    except FileExistsError:
        return
    finally:
        DISK.unlink(aside)
    DISK.sync(path.parent)


def replace_private_file(path: Path, text: str, *, mode: int = 0o600, disk: Disk = DISK) -> None:
    replace_files(disk, [(path, text.encode())], mode=mode)


def replace_files(
    disk: Disk, files: Sequence[tuple[Path, bytes]], *, mode: int = 0o644, also_sync: Iterable[Path] = ()
) -> None:
    """All are durable and in place when it returns. A crash leaves each either as it was or as it should be.

    `also_sync` are folders in which others were made for them.
    """
    asides = [(_written_aside(disk, path, data, mode), path) for path, data in files]
    for aside, path in asides:
        disk.replace(aside, path)
    for folder in dict.fromkeys((*also_sync, *(path.parent for path, _ in files))):
        disk.sync(folder)


def _written_aside(disk: Disk, path: Path, data: bytes, mode: int) -> Path:
    aside = path.with_name(f".{path.name}{ASIDE_MARK}{secrets.token_hex(6)}")
    try:
        disk.write(aside, data, mode)
        disk.sync(aside)
    except OSError:
        with contextlib.suppress(OSError):  # a full disk must not fill further with what failed
            disk.unlink(aside)
        raise
    return aside
