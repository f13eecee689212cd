"""The tree of a bundle, from its tiles: each leaf's hash, and the root at any size up to the checkpoint's."""

import hashlib
from collections.abc import Iterable, Iterator

from .bundle_archive import BundleFiles
from .merkle import EMPTY_ROOT, HASH_BYTES, TILE_LEVELS, inclusion_proof, root_of
from .tiles import TILE_WIDTH, TileInvalid, TileName, decode_tile, tiles_of

_sha256 = hashlib.sha256


class TreeIncomplete(Exception):
    """A tile is missing, malformed, or not what those below it give. `entry` is the first entry that it covers."""

    def __init__(self, code: str, problem: str, entry: int) -> None:
        super().__init__(problem)
        self.code = code
        self.problem = problem
        self.entry = entry


class BundleTree:
    def __init__(self, leaves: Iterable[bytes]) -> None:
        self._levels: list[list[bytes]] = [list(leaves)]
        while len(level := self._levels[-1]) > 1:
            pairs = zip(level[::2], level[1::2], strict=False)  # an odd last one has no parent yet
            self._levels.append([_sha256(b"\x01" + left + right).digest() for left, right in pairs])
        self.leaves = self._levels[0]
        self.size = len(self.leaves)

    def node(self, level: int, index: int) -> bytes:
        """The hash of a complete subtree: a `NodeSource`."""
        return self._levels[level][index]

    def root(self, size: int) -> bytes:
        """Of the first `size` entries."""
        return root_of(size, self.node) if size else EMPTY_ROOT

    def proof(self, index: int, size: int) -> tuple[bytes, ...]:
        return inclusion_proof(index, size, self.node)

    def tiles(self) -> Iterator[tuple[TileName, bytes]]:
        """All hash tiles, the lowest level first."""
        for name in tiles_of(self.size):
            if name.level is not None:
                at = name.index * TILE_WIDTH
                yield name, b"".join(self._levels[name.level * TILE_LEVELS][at : at + name.width])


def read_tree(files: BundleFiles, size: int) -> BundleTree:
    """Of `size` entries, from the tiles of leaf hashes. Raises `TreeIncomplete`."""
    leaves: list[bytes] = []
    while len(leaves) < size:  # the size may be any number that somebody wrote: the first missing tile ends it
        width = min(TILE_WIDTH, size - len(leaves))
        leaves += _leaf_tile(files, TileName(level=0, index=len(leaves) // TILE_WIDTH, width=width))
    return BundleTree(leaves)


def check_upper_tiles(files: BundleFiles, tree: BundleTree) -> None:
    """Other people's tools begin with the upper tiles, so they must say what those below give. Raises `TreeIncomplete`."""
    for name, expected in tree.tiles():
        assert name.level is not None
        if not name.level:
            continue
        entry = (name.index * TILE_WIDTH) << (TILE_LEVELS * name.level)
        if name.path not in files:
            raise TreeIncomplete("tile_missing", f"{name.path} is missing", entry)
        if files[name.path] != expected:
            raise TreeIncomplete("tile_differs", f"{name.path} is not what the tiles below it give", entry)


def shorter_part(files: BundleFiles, name: TileName) -> int | None:
    """How much of a tile is there under the name of a smaller one: what a cut tail leaves."""
    return next((width for width in range(name.width - 1, 0, -1) if f"{name.partials}/{width}" in files), None)


def _leaf_tile(files: BundleFiles, name: TileName) -> tuple[bytes, ...]:
    first = name.index * TILE_WIDTH
    if name.path not in files:
        shorter = shorter_part(files, name)
        if shorter is None:
            raise TreeIncomplete("tile_missing", f"{name.path} is missing", first)
        problem = f"the bundle's tree ends after {first + shorter} entries"
        raise TreeIncomplete("tree_truncated", problem, first + shorter)
    data = files[name.path]
    try:
        return decode_tile(name, data)
    except TileInvalid as error:
        raise TreeIncomplete("tile_malformed", str(error), first + len(data) // HASH_BYTES) from None
