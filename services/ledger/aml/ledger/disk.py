"""The steps of which a crash-safe write consists, one method each: tests let every one of them fail, or be the last."""

import os
import shutil
from pathlib import Path


class Disk:
    """The machine's own. All block; all raise `OSError`."""

    def write(self, path: Path, data: bytes, mode: int) -> None:
        """Creates `path`, which must not exist. Not durable before `sync`."""
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(descriptor, view) :]
        finally:
            os.close(descriptor)

    def sync(self, path: Path) -> None:
        """Of a file its content, of a folder which names are in it."""
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def replace(self, source: Path, target: Path) -> None:
        source.replace(target)

    def link(self, source: Path, target: Path) -> None:
        """Raises `FileExistsError` when there is a `target`."""
        target.hardlink_to(source)

    def make_folder(self, path: Path) -> None:
        """Nothing happens when it exists."""
        path.mkdir(parents=True, exist_ok=True)

    def unlink(self, path: Path) -> None:
        path.unlink(missing_ok=True)

    def remove_folder(self, path: Path) -> None:
        """With all files in it."""
        shutil.rmtree(path, ignore_errors=True)
