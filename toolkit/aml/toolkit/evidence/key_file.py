"""The key-encryption key's file: a new version beside the old one, and the old one's end."""

import os
import secrets
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from aml.runtime.key_encryption import KEY_BYTES, key_file_text, read_key_file

from .errors import KeyFileFixed, NothingToRetire


def begin_rotation(path: Path) -> bool:
    """Adds a version, unless a rotation is under way already: then that one goes on, and False is returned.

    Raises `SettingsError`, `KeyFileFixed`.
    """
    keys = read_key_file(path)
    if len(keys) > 1:
        return False
    _replace(path, {**keys, max(keys) + 1: secrets.token_bytes(KEY_BYTES)})
    return True


def require_rotation(path: Path) -> None:
    """Raises `SettingsError`, `NothingToRetire`."""
    if len(read_key_file(path)) == 1:
        raise NothingToRetire(path)


def retire_older(path: Path) -> tuple[int, ...]:
    """Only after nothing uses them: the versions before the last one go, and are returned. Raises as `begin_rotation`."""
    keys = read_key_file(path)
    newest = max(keys)
    _replace(path, {newest: keys[newest]})
    return tuple(sorted(keys.keys() - {newest}))


def _replace(path: Path, keys: Mapping[int, bytes]) -> None:
    """In one step and durably, with the owner and the mode that the file had."""
    try:
        before = path.stat()
        opened, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        draft = Path(name)
        try:
            with os.fdopen(opened, "w") as file:
                file.write(key_file_text(keys))
                file.flush()
                os.fsync(file.fileno())
            shutil.copymode(path, draft)
            if (before.st_uid, before.st_gid) != (draft.stat().st_uid, draft.stat().st_gid):
                os.chown(draft, before.st_uid, before.st_gid)
            draft.replace(path)
        except OSError:
            draft.unlink(missing_ok=True)
            raise
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise KeyFileFixed(path, error.strerror or str(error)) from None
