"""The board's files, taken out of the demo's data folder, which is deleted at the end."""

import os
import shutil
from pathlib import Path

from aml.toolkit.evaluation.errors import WrongUsage

_MARK = "boards.json"
"""Every site of the publisher has it."""


class FolderTaken(WrongUsage):
    def __init__(self, folder: Path) -> None:
        super().__init__("--board", f"{folder} holds something else than a board; choose another folder")
        self.folder = folder


def require_free(folder: Path) -> None:
    """Raises `FolderTaken`: only an earlier board may be replaced."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise FolderTaken(folder)
    if folder.is_dir() and any(folder.iterdir()) and not (folder / _MARK).is_file():
        raise FolderTaken(folder)


def copy_board(served: Path, folder: Path) -> Path:
    """Returns the folder. A reader sees the old board or the new one, and for a moment neither."""
    require_free(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh, old = (folder.with_name(f".{folder.name}.{os.getpid()}.{kind}") for kind in ("new", "old"))
    shutil.copytree(served.resolve(), fresh)
    if folder.exists():
        folder.replace(old)
    fresh.replace(folder)
    shutil.rmtree(old, ignore_errors=True)
    return folder
