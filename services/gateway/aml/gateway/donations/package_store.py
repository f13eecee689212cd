"""Packages on disk, in quarantine: `incoming/` while they arrive, then `<sha256>` once they were read to their end.

Nothing is ever opened from here but by the inspection and by a reviewer's download. A file without a row is garbage: the row
is written last, and what a crash left behind is swept at the next start.
"""

import asyncio
import contextlib
import hashlib
import os
import secrets
import time
from collections.abc import AsyncIterator, Collection
from pathlib import Path
from typing import BinaryIO, Final

from msgspec import Struct

from .package_report import PackageRefused

MAX_INSPECTIONS: Final = 2
"""At once, in one process: each costs a core."""
PIECE_SECONDS: Final = 30.0
"""Without a byte from the sender."""
UPLOAD_SECONDS: Final = 15 * 60.0
_GATHER_BYTES: Final = 1024 * 1024
"""Written at once, in a thread."""
SWEEP_AFTER_SECONDS: Final = 3600.0
"""Younger files may be another process's upload."""


class UploadTooLarge(Exception):
    def __init__(self, limit: int) -> None:
        super().__init__(f"more than {limit} bytes")
        self.limit = limit


class UploadTooSlow(Exception):
    """The sender stopped, or would take for ever."""


class Arrived(Struct, frozen=True, kw_only=True):
    path: Path
    sha256: str
    bytes: int


class PackageStore:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._incoming = folder / "incoming"

    def path_of(self, name: str) -> Path:
        return self._folder / name

    def used_bytes(self) -> int:
        return sum(path.stat().st_size for path in self._files())

    @contextlib.asynccontextmanager
    async def receive(self, pieces: AsyncIterator[bytes], limit: int) -> AsyncIterator[Arrived]:
        """The file is gone again when the block is left, unless `keep` moved it. Raises `UploadTooLarge`, `UploadTooSlow`."""
        await asyncio.to_thread(self._incoming.mkdir, parents=True, exist_ok=True, mode=0o700)
        path = self._incoming / f"{secrets.token_hex(16)}.part"
        try:
            with await asyncio.to_thread(path.open, "xb") as file:
                sha256, size = await _write(file, pieces, limit)
            yield Arrived(path=path, sha256=sha256, bytes=size)
        finally:
            await asyncio.to_thread(path.unlink, missing_ok=True)

    @contextlib.asynccontextmanager
    async def keep(self, arrived: Arrived) -> AsyncIterator[str]:
        """The name under which it now lies. It goes again where the block, which writes the row, fails."""
        name = arrived.path.stem
        await asyncio.to_thread(_move, arrived.path, self.path_of(name))
        written = False
        try:
            yield name
            written = True
        finally:
            if not written:
                await self.discard(name)

    async def discard(self, name: str) -> None:
        await asyncio.to_thread(self.path_of(name).unlink, missing_ok=True)

    def sweep(self, kept: Collection[str], *, now: float | None = None) -> int:
        """Removes what no row names and nobody is writing. Returns how many files went."""
        limit = (time.time() if now is None else now) - SWEEP_AFTER_SECONDS
        gone = 0
        for path in self._files():
            if path.name not in kept and path.stat().st_mtime < limit:
                path.unlink(missing_ok=True)
                gone += 1
        return gone

    def _files(self) -> list[Path]:
        folders = [folder for folder in (self._folder, self._incoming) if folder.is_dir()]
        return [path for folder in folders for path in folder.iterdir() if path.is_file()]


async def _write(file: BinaryIO, pieces: AsyncIterator[bytes], limit: int) -> tuple[str, int]:
    hasher, size, gathered = hashlib.sha256(), 0, bytearray()
    until = time.monotonic() + UPLOAD_SECONDS

    async def flush() -> None:
        await asyncio.to_thread(_write_and_hash, file, hasher, bytes(gathered))
        gathered.clear()

    while True:
        try:
            piece = await asyncio.wait_for(anext(pieces), min(PIECE_SECONDS, max(0.0, until - time.monotonic())))
        except StopAsyncIteration:
            break
        except TimeoutError:
            raise UploadTooSlow from None
        size += len(piece)
        if size > limit:
            raise UploadTooLarge(limit)
        gathered += piece
        if len(gathered) >= _GATHER_BYTES:
            await flush()
    await flush()
    await asyncio.to_thread(os.fsync, file.fileno())
    if not size:
        raise PackageRefused("is empty; send the file as the body of the request")
    return hasher.hexdigest(), size


def _write_and_hash(file: BinaryIO, hasher: "hashlib._Hash", content: bytes) -> None:
    hasher.update(content)
    file.write(content)


def _move(path: Path, target: Path) -> None:
    path.chmod(0o400)
    path.replace(target)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
