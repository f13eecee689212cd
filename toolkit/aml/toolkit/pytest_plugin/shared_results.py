"""Results that all workers of a session share: a file and a lock an order, so that nobody runs what another one is running."""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct

from aml.toolkit.results import SuiteResult


class SuiteFailed(Exception):
    """A suite could not be run. Told again to each test that wants it, without another try."""


class Kept(Struct, frozen=True, kw_only=True):
    number: int
    """In the order in which results came."""
    result: SuiteResult | None = None
    problem: str | None = None


class SharedResults:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def once(self, key: str, run: Callable[[], SuiteResult]) -> SuiteResult:
        """Waits where another worker runs it already. Raises `SuiteFailed`, and what `run` raises."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / f"{key}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            kept = self._read(self.folder / f"{key}.json")
            if kept is None:
                kept = self._keep(key, run)
        if kept.result is None:
            raise SuiteFailed(kept.problem)
        return kept.result

    def all(self) -> tuple[SuiteResult, ...]:
        kept = [self._read(path) for path in self.folder.glob("*.json")]
        found = sorted((each for each in kept if each is not None), key=lambda each: each.number)
        return tuple(each.result for each in found if each.result is not None)

    def _keep(self, key: str, run: Callable[[], SuiteResult]) -> Kept:
        try:
            kept = Kept(number=self._next(), result=run())
        except Exception as error:
            said = " ".join(str(error).split())
            self._write(key, Kept(number=self._next(), problem=f"{type(error).__name__}: {said}"))
            raise
        self._write(key, kept)
        return kept

    def _next(self) -> int:
        return len(list(self.folder.glob("*.json")))

    def _write(self, key: str, kept: Kept) -> None:
        draft = self.folder / f".{key}.{os.getpid()}"
        draft.write_bytes(msgspec.json.encode(kept))
        draft.replace(self.folder / f"{key}.json")

    def _read(self, path: Path) -> Kept | None:
        return msgspec.json.decode(path.read_bytes(), type=Kept) if path.is_file() else None
