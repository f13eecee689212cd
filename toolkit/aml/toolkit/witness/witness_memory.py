"""What a witness has cosigned, on disk: one file a log, whole or absent, and one process at a time.

Its check and its write are one step under one lock. Otherwise two requests could pass the check together, and the smaller
tree would be written last: the witness would have gone back.
"""

import fcntl
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Self

import msgspec

from aml.ledger.disk import Disk
from aml.ledger.durable_file import DISK, replace_private_file

from .errors import WitnessUnusable
from .judge_checkpoint import Seen


class WitnessMemory:
    """A context manager: holds the folder. Raises `WitnessUnusable` when another process does."""

    def __init__(self, folder: Path, disk: Disk = DISK) -> None:
        self._folder = folder
        self._disk = disk
        self._lock = Lock()
        self._held: int | None = None

    def __enter__(self) -> Self:
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._held = os.open(self._folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
            fcntl.flock(self._held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._release()
            raise WitnessUnusable(f"another witness uses {self._folder}") from None
        except OSError as error:
            raise WitnessUnusable(f"{self._folder} cannot be used: {error.strerror}") from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._release()

    def advance(self, seen: Seen, check: Callable[[Seen | None], None]) -> None:
        """Remembers `seen` when `check`, given what was seen before, raises nothing. Durable when it returns."""
        with self._lock:
            before = self.last(seen.origin)
            check(before)
            if before != seen:
                replace_private_file(self._file(seen.origin), msgspec.json.encode(seen).decode(), disk=self._disk)

    def last(self, origin: str) -> Seen | None:
        """Raises `WitnessUnusable` for a damaged file: a witness that forgets would cosign a fork."""
        file = self._file(origin)
        try:
            found = msgspec.json.decode(file.read_bytes(), type=Seen)
        except FileNotFoundError:
            return None
        except msgspec.MsgspecError as error:
            raise WitnessUnusable(f"{file} is damaged: {error}") from None
        if found.origin != origin:
            raise WitnessUnusable(f"{file} is the memory of the log {found.origin}")
        return found

    def _file(self, origin: str) -> Path:
        return self._folder / f"{hashlib.sha256(origin.encode()).hexdigest()}.json"

    def _release(self) -> None:
        if self._held is not None:
            os.close(self._held)
            self._held = None
