"""How tiles come to be: the open right edge of a growing tree, which gives its files as they fill up."""

import hashlib
from collections.abc import Mapping, Sequence

from .merkle import EMPTY_ROOT, TILE_LEVELS, leaf_hash, root_of
from .tiles import TILE_WIDTH, TileInvalid, TileName, decode_bundle, decode_tile, encode_bundle, partials_of

_sha256 = hashlib.sha256  # `node_hash` in place: one call less for every entry of the log
TileFile = tuple[TileName, bytes]


class TileEdge:
    """Grows by `append`. In memory lies the edge alone: at most 255 hashes a level and 255 entries."""

    def __init__(self) -> None:
        self.size = 0
        self._rows: list[list[bytes]] = [[]]
        self._entries: list[bytes] = []

    @classmethod
    def from_partials(cls, size: int, files: Mapping[TileName, bytes]) -> "TileEdge":
        """`files` are those of `partials_of(size)`. Raises `TileInvalid` when one is malformed or contradicts another."""
        edge = cls()
        edge.size = size
        for name in partials_of(size):
            if name.level is None:
                edge._entries = list(decode_bundle(name, files[name]))
                continue
            edge._reach(name.level)
            edge._rows[name.level] = list(decode_tile(name, files[name]))
        if [leaf_hash(entry) for entry in edge._entries] != edge._rows[0]:
            name = TileName(level=None, index=size >> TILE_LEVELS, width=size % TILE_WIDTH)
            raise TileInvalid(name.path, "does not hash to the tile above it")
        return edge

    def append(self, leaf: bytes, entry: bytes) -> Sequence[TileFile]:
        """The files that this entry fills, the bundle first: none for 255 entries of 256."""
        row = self._rows[0]
        row.append(leaf)
        self._entries.append(entry)
        self.size += 1
        return self._filled() if len(row) == TILE_WIDTH else ()

    def partials(self) -> list[TileFile]:
        """The files that the tree has beside the full ones, at its present size."""
        return [
            (name, encode_bundle(self._entries) if name.level is None else b"".join(self._rows[name.level]))
            for name in partials_of(self.size)
        ]

    def root(self) -> bytes:
        """RFC 6962's root, from the edge's hashes alone."""
        return root_of(self.size, self._node) if self.size else EMPTY_ROOT

    def _filled(self) -> list[TileFile]:
        index = (self.size >> TILE_LEVELS) - 1
        files: list[TileFile] = [(TileName(level=None, index=index), encode_bundle(self._entries))]
        self._entries.clear()
        level = 0
        while len(row := self._rows[level]) == TILE_WIDTH:
            files.append((TileName(level=level, index=index), b"".join(row)))
            level += 1
            self._reach(level)
            self._rows[level].append(subtree_root(row))
            self._rows[level - 1] = []
            index >>= TILE_LEVELS
        return files

    def _reach(self, level: int) -> None:
        while len(self._rows) <= level:
            self._rows.append([])

    def _node(self, level: int, index: int) -> bytes:
        row, below = divmod(level, TILE_LEVELS)
        start = (index << below) % TILE_WIDTH
        return subtree_root(self._rows[row][start : start + (1 << below)])


def subtree_root(hashes: Sequence[bytes]) -> bytes:
    """The root over a power of two of sibling hashes."""
    while len(hashes) > 1:
        hashes = [_sha256(b"\x01" + hashes[at] + hashes[at + 1]).digest() for at in range(0, len(hashes), 2)]
    return hashes[0]
