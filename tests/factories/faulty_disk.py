"""A disk on which any step of a write can fail, be the process's last, or be undone by a power cut."""

import errno
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from aml.ledger.disk import Disk

Fault = Literal["killed", "EIO", "ENOSPC", "cut_lost", "cut_torn"]
FAULTS: tuple[Fault, ...] = ("killed", "EIO", "ENOSPC", "cut_lost", "cut_torn")


class Killed(BaseException):
    """The process is gone: nothing catches this."""


@dataclass
class _Unsynced:
    folder: Path
    undo: Callable[[], None]


@dataclass
class FaultyDisk(Disk):
    """Over a real folder. `fail_at(n, fault)` makes the n-th step from now on fail, 0 being the next one.

    A power cut takes what was never synced: `cut_lost` undoes names that no folder sync made durable, `cut_torn` keeps the
    names and halves the files whose content was not synced. Nothing here calls fsync.
    """

    steps: int = 0
    fault: Fault | None = None
    at: int = -1
    _contents: dict[Path, bytes] = field(default_factory=dict)
    _names: list[_Unsynced] = field(default_factory=list)

    def fail_at(self, step: int, fault: Fault) -> None:
        self.at, self.fault = self.steps + step, fault

    def heal(self) -> None:
        self.at, self.fault = -1, None
        self._contents.clear()
        self._names.clear()

    def write(self, path: Path, data: bytes, mode: int) -> None:
        def halfway() -> None:
            path.write_bytes(data[: len(data) // 2])

        self._step(halfway)
        self._contents[path] = data
        self._named(path.parent, lambda: path.unlink(missing_ok=True))
        super().write(path, data, mode)

    def sync(self, path: Path) -> None:
        self._step()
        self._contents.pop(path, None)
        self._names = [each for each in self._names if each.folder != path]

    def replace(self, source: Path, target: Path) -> None:
        self._step()
        before = target.read_bytes() if target.exists() else None
        super().replace(source, target)
        if source in self._contents:
            self._contents[target] = self._contents.pop(source)

        def undo() -> None:
            if before is None:
                target.unlink(missing_ok=True)
            else:
                target.write_bytes(before)

        self._named(target.parent, undo)

    def make_folder(self, path: Path) -> None:
        self._step()
        if not path.exists():
            super().make_folder(path)
            self._named(path.parent, lambda: Disk().remove_folder(path))

    def unlink(self, path: Path) -> None:
        self._step()
        super().unlink(path)

    def remove_folder(self, path: Path) -> None:
        self._step()
        super().remove_folder(path)

    def _named(self, folder: Path, undo: Callable[[], None]) -> None:
        self._names.append(_Unsynced(folder, undo))

    def _step(self, halfway: Callable[[], None] = lambda: None) -> None:
        self.steps += 1
        if self.steps - 1 != self.at or self.fault is None:
            return
        if self.fault in ("EIO", "ENOSPC"):
            code = getattr(errno, self.fault)
            raise OSError(code, os.strerror(code))
        halfway()
        if self.fault == "cut_lost":
            for each in reversed(self._names):
                each.undo()
        if self.fault != "killed":
            for path, data in self._contents.items():
                if path.exists():
                    path.write_bytes(data[: len(data) // 2])
        raise Killed
