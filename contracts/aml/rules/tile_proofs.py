"""Proofs from tiles alone: which tiles a proof needs, and the proof when they are there."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from .merkle import HASH_BYTES, TILE_LEVELS, NodeSource, consistency_proof, inclusion_proof, root_of
from .tile_edge import subtree_root
from .tiles import TILE_WIDTH, TileName, decode_tile

T = TypeVar("T")
Compute = Callable[[NodeSource], T]


def inclusion_of(index: int, size: int) -> Compute[tuple[bytes, bytes, tuple[bytes, ...]]]:
    """Leaf hash, root and audit path, once nodes are at hand. Raises `ValueError` when the tree has no such leaf."""
    if not 0 <= index < size:
        raise ValueError(f"a tree of {size} leaves has no leaf {index}")
    return lambda node: (node(0, index), root_of(size, node), inclusion_proof(index, size, node))


def consistency_of(old: int, new: int) -> Compute[tuple[bytes, ...]]:
    """Raises `ValueError` unless `0 < old <= new`."""
    if not 0 < old <= new:
        raise ValueError(f"no consistency proof leads from {old} to {new} leaves")
    return lambda node: consistency_proof(old, new, node)


def needed_tiles(size: int, compute: Compute[T]) -> tuple[TileName, ...]:
    """The tiles of the tree of `size` leaves that `compute` will ask for: a few a level."""
    wanted: dict[TileName, None] = {}

    def record(level: int, index: int) -> bytes:
        wanted[tile_of_node(size, level, index)] = None
        return bytes(HASH_BYTES)

    compute(record)
    return tuple(wanted)


def from_tiles(size: int, tiles: Mapping[TileName, bytes], compute: Compute[T]) -> T:
    """`tiles` are those of `needed_tiles`. Raises `TileInvalid` for one of the wrong length."""
    hashes = {name: decode_tile(name, data) for name, data in tiles.items()}

    def node(level: int, index: int) -> bytes:
        below = level % TILE_LEVELS
        start = (index << below) % TILE_WIDTH
        return subtree_root(hashes[tile_of_node(size, level, index)][start : start + (1 << below)])

    return compute(node)


def tile_of_node(size: int, level: int, index: int) -> TileName:
    """The tile, as the tree of `size` leaves has it, that holds the node or what it is computed from."""
    row, below = divmod(level, TILE_LEVELS)
    tile = (index << below) >> TILE_LEVELS
    width = (size >> (TILE_LEVELS * row)) - (tile << TILE_LEVELS)
    return TileName(level=row, index=tile, width=min(width, TILE_WIDTH))
