"""Small files that must be whole or absent after any crash: written aside, fsynced, then put in place."""

import os
import secrets
from pathlib import Path


def create_private_file(path: Path, text: str) -> None:
    """Creates `path` unless it exists; of two processes that try, one wins and both then read the same file."""
    aside = _written_aside(path, text, 0o600)
    try:
        os.link(aside, path)
    except FileExistsError:
        return
    finally:
        aside.unlink()
    _sync_folder(path.parent)


def replace_private_file(path: Path, text: str, *, mode: int = 0o600) -> None:
    aside = _written_aside(path, text, mode)
    aside.replace(path)
    _sync_folder(path.parent)


def _written_aside(path: Path, text: str, mode: int) -> Path:
    aside = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        os.write(descriptor, text.encode())
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    return aside


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
