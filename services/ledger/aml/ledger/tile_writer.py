"""Writes the public log: tiles first, durable, and only then the checkpoint that rests on them.

The store itself says how far it is: a writer that starts, or that failed half-way, begins at the checkpoint it finds there.
What lies beyond it is written again, byte for byte the same, as tiles follow from the entries alone.
"""

from collections.abc import Sequence

import structlog

from aml.rules.checkpoint import Checkpoint, NoteInvalid, parse_checkpoint, parse_note
from aml.rules.merkle import TILE_LEVELS
from aml.rules.tile_edge import TileEdge, TileFile
from aml.rules.tiles import CHECKPOINT_PATH, TileInvalid, TileName, parse_tile_path, partials_of

from .errors import LogForked, LogStoreForeign, LogStoreUnavailable, LogWentBack
from .log_store import LogStore

log = structlog.get_logger()

_FLUSH_FILES = 64


class TileWriter:
    """Use by one task at a time. After an error it remembers nothing: call `resume` before anything else."""

    def __init__(self, store: LogStore, origin: str) -> None:
        self.store = store
        self._origin = origin
        self._edge: TileEdge | None = None
        self._published: Checkpoint | None = None
        self._unwritten: list[TileFile] = []
        self._filled: list[TileName] = []
        self._swept = False

    @property
    def size(self) -> int:
        """Entries that were given to it; 0 before `resume`."""
        return self._edge.size if self._edge is not None else 0

    @property
    def published_size(self) -> int:
        """Entries under the checkpoint in the store."""
        return self._published.size if self._published is not None else 0

    async def resume(self, published_size: int, head_size: int) -> None:
        """`published_size` is where this log's record stands: when the store's does not, it is read again.

        Raises `LogWentBack`, `LogStoreForeign` or `LogStoreUnavailable`.
        """
        if self._edge is not None and self.published_size == published_size:
            return
        self.forget()
        self._published = await self._stored_checkpoint()
        if self.published_size > head_size:
            raise LogWentBack(self.published_size, head_size)
        self._edge = await self._stored_edge(self._published) if self._published is not None else TileEdge()

    def append(self, leaf: bytes, entry: bytes) -> None:
        """Entry number `size`. It is in the store after `settle`."""
        assert self._edge is not None
        self._unwritten.extend(self._edge.append(leaf, entry))

    async def flush(self) -> None:
        """Writes full tiles when there are many, so that a long log does not pile up in memory."""
        if len(self._unwritten) >= _FLUSH_FILES:
            await self._write(())

    async def settle(self, root: bytes) -> None:
        """Everything that was appended is durable when it returns. Raises `LogForked` when the tiles' root is not `root`."""
        assert self._edge is not None
        if self._edge.root() != root:
            size = self._edge.size
            self.forget()
            raise LogForked(size, "the tiles in the public store give another root")
        await self._write(self._edge.partials() if self.size != self.published_size else ())

    async def publish(self, note: str) -> None:
        """The checkpoint of what `settle` wrote, or of an earlier size. Then removes partial tiles that are full by now."""
        checkpoint = parse_checkpoint(parse_note(note).text)
        if checkpoint.size <= self.published_size:
            return
        await self._store_checkpoint(note)
        self._published = checkpoint
        await self._remove_partials()

    async def _write(self, partials: Sequence[TileFile]) -> None:
        files, self._unwritten = [*self._unwritten, *partials], []
        try:
            await self.store.write([(name.path, data) for name, data in files])
        except LogStoreUnavailable:
            self.forget()
            raise
        self._filled += [name for name, _ in files if name == name.filled]

    async def _store_checkpoint(self, note: str) -> None:
        try:
            await self.store.write([(CHECKPOINT_PATH, note.encode())])
        except LogStoreUnavailable:
            self.forget()
            raise

    def forget(self) -> None:
        """The next `resume` reads the store again."""
        self._swept = False
        self._edge, self._published = None, None
        self._unwritten, self._filled = [], []

    async def _stored_checkpoint(self) -> Checkpoint | None:
        data = await self.store.read(CHECKPOINT_PATH)
        if data is None:
            return None
        try:
            checkpoint = parse_checkpoint(parse_note(data.decode()).text)
        except (NoteInvalid, UnicodeDecodeError) as error:
            raise LogStoreForeign(f"its checkpoint cannot be read: {error}") from None
        if checkpoint.origin != self._origin:
            raise LogStoreForeign(f"it holds the log {checkpoint.origin}")
        return checkpoint

    async def _stored_edge(self, published: Checkpoint) -> TileEdge:
        """Where the stored tiles do not bear out the checkpoint beside them, all tiles are made again from the entries."""
        found = {name: await self.store.read(name.path) for name in partials_of(published.size)}
        partials = {name: data for name, data in found.items() if data is not None}
        try:
            if len(partials) == len(found):
                edge = TileEdge.from_partials(published.size, partials)
                if edge.root() == published.root:
                    return edge
        except TileInvalid as error:
            log.warning("tiles.damaged", problem=str(error))
        log.warning("tiles.rebuilt", size=published.size)
        return TileEdge()

    async def _remove_partials(self) -> None:
        """The first time those that an earlier process left, too. Failing is harmless: it is done again at the next start."""
        folders, self._filled = [name.partials for name in self._filled], []
        try:
            if not self._swept:
                folders += [path for path in await self.store.partial_folders() if self._is_full_by_now(path)]
            await self.store.remove_folders(folders)
            self._swept = True
        except LogStoreUnavailable as error:
            log.warning("tiles.partials_kept", problem=str(error))

    def _is_full_by_now(self, folder: str) -> bool:
        try:
            name = parse_tile_path(folder.removesuffix(".p"))
        except TileInvalid:
            return False
        return name.index < self.published_size >> (TILE_LEVELS * (1 + (name.level or 0)))
