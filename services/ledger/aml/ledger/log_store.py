"""Where the public log lies as static files: a folder of this machine, or a bucket. Any web server or CDN may serve it.

Files are whole or absent. What `write` was given is durable when it returns; only then may a checkpoint be signed that
rests on it.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import obstore
import obstore.exceptions
from obstore.store import ObjectStore

from aml.runtime.evidence import object_store

from .disk import Disk
from .durable_file import DISK, replace_files
from .errors import LogStoreUnavailable

StoredFile = tuple[str, bytes]

_AT_ONCE = 8
_PARTIALS = ".p"


class LogStore(Protocol):
    """Paths are relative, with `/`. All raise `LogStoreUnavailable`."""

    async def write(self, files: Sequence[StoredFile]) -> None: ...

    async def read(self, path: str) -> bytes | None:
        """None when there is no such file."""
        ...

    async def remove_folders(self, folders: Sequence[str]) -> None:
        """With all files in them; those that do not exist are passed over."""
        ...

    async def partial_folders(self) -> list[str]:
        """All folders of partial tiles, which end in `.p`."""
        ...


def open_log_store(url: str) -> LogStore:
    """`file:///folder` (made when missing) or `s3://bucket/prefix`."""
    if url.startswith("file://"):
        return FolderLogStore(Path(url.removeprefix("file://")))
    return BucketLogStore(object_store(url))


class FolderLogStore:
    def __init__(self, folder: Path, disk: Disk = DISK) -> None:
        self._folder = folder
        self._disk = disk
        self._made: set[Path] = set()

    async def write(self, files: Sequence[StoredFile]) -> None:
        await asyncio.to_thread(self.write_now, files)

    def write_now(self, files: Sequence[StoredFile]) -> None:
        """`write`, on the calling thread."""
        placed = [(self._folder / path, data) for path, data in files]
        parents: dict[Path, None] = {}
        try:
            for path, _ in placed:
                self._make(path.parent, parents)
            replace_files(self._disk, placed, also_sync=parents)
        except OSError as error:
            self._made.clear()
            raise LogStoreUnavailable(str(self._folder), error.strerror or str(error)) from None

    async def read(self, path: str) -> bytes | None:
        # Not in a thread: a file of a few kB, mostly in the page cache, costs less than the way there and back.
        try:
            return (self._folder / path).read_bytes()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None
        except OSError as error:
            raise LogStoreUnavailable(path, error.strerror or str(error)) from None

    async def remove_folders(self, folders: Sequence[str]) -> None:
        for folder in folders:
            self._made.discard(self._folder / folder)
            await asyncio.to_thread(self._disk.remove_folder, self._folder / folder)

    async def partial_folders(self) -> list[str]:
        def walk() -> list[str]:
            tiles = self._folder / "tile"
            return [str(found.relative_to(self._folder)) for found in tiles.rglob(f"*{_PARTIALS}")]

        return await asyncio.to_thread(walk)

    def _make(self, folder: Path, parents: dict[Path, None]) -> None:
        """Its name must be durable, too: a file in a folder that a power cut takes away is gone with it.

        Adds the folders in which something is new to `parents`.
        """
        if folder in self._made:
            return
        if folder != self._folder.parent:
            self._make(folder.parent, parents)
            self._disk.make_folder(folder)
            # Also of one that is there: a process that died may have made it and not come to the sync.
            parents[folder.parent] = None
        self._made.add(folder)


class BucketLogStore:
    """An object store writes an object whole or not at all, and answers when it is durable."""

    def __init__(self, store: ObjectStore) -> None:
        self._store = store
        self._places = asyncio.Semaphore(_AT_ONCE)

    async def write(self, files: Sequence[StoredFile]) -> None:
        await asyncio.gather(*(self._put(path, data) for path, data in files))

    async def read(self, path: str) -> bytes | None:
        try:
            result = await obstore.get_async(self._store, path)
            return bytes(await result.bytes_async())
        except (obstore.exceptions.NotFoundError, FileNotFoundError):
            return None
        except (obstore.exceptions.BaseError, OSError) as error:
            raise LogStoreUnavailable(path, _first_line(error)) from None

    async def remove_folders(self, folders: Sequence[str]) -> None:
        for folder in folders:
            try:
                paths = [found["path"] for page in obstore.list(self._store, prefix=folder) for found in page]
                if paths:
                    await obstore.delete_async(self._store, paths)
            except (obstore.exceptions.BaseError, OSError) as error:
                raise LogStoreUnavailable(folder, _first_line(error)) from None

    async def partial_folders(self) -> list[str]:
        found: set[str] = set()
        try:
            async for page in obstore.list(self._store, prefix="tile"):
                found.update(each["path"].rpartition("/")[0] for each in page if f"{_PARTIALS}/" in each["path"])
        except (obstore.exceptions.BaseError, OSError) as error:
            raise LogStoreUnavailable("tile", _first_line(error)) from None
        return sorted(found)

    async def _put(self, path: str, data: bytes) -> None:
        async with self._places:
            try:
                await obstore.put_async(self._store, path, data)
            except (obstore.exceptions.BaseError, OSError) as error:
                raise LogStoreUnavailable(path, _first_line(error)) from None


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:300]
