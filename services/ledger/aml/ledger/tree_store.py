"""Proofs from the database: leaf hashes from the entries, interior nodes of every eighth level from `nodes`.

A proof of a log of 10^6 entries reads at most some 255 leaves and 255 nodes a stored level, in two queries.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from msgspec import Struct

from aml.rules.merkle import (
    HASH_BYTES,
    TILE_LEVELS,
    NodeSource,
    consistency_proof,
    inclusion_proof,
    node_hash,
    root_of,
)

from . import queries
from .database import Connection

T = TypeVar("T")


class InclusionProof(Struct, frozen=True, kw_only=True):
    index: int
    leaf: str
    tree_size: int
    root: str
    proof: tuple[str, ...]


async def load_inclusion(connection: Connection, index: int, size: int) -> InclusionProof:
    """Raises `ValueError` when a tree of `size` has no leaf `index`. The log must hold `size` entries."""

    def parts(node: NodeSource) -> tuple[bytes, bytes, tuple[bytes, ...]]:
        return node(0, index), root_of(size, node), inclusion_proof(index, size, node)

    leaf, root, proof = await _computed(connection, parts)
    hashes = tuple(each.hex() for each in proof)
    return InclusionProof(index=index, leaf=leaf.hex(), tree_size=size, root=root.hex(), proof=hashes)


async def load_consistency(connection: Connection, old: int, new: int) -> tuple[bytes, ...]:
    """Raises `ValueError` unless `0 < old <= new`. The log must hold `new` entries."""
    return await _computed(connection, lambda node: consistency_proof(old, new, node))


async def _computed(connection: Connection, compute: Callable[[NodeSource], T]) -> T:
    """Runs `compute` twice: first to learn which nodes it asks for, then with their hashes."""
    wanted: dict[tuple[int, int], None] = {}

    def record(level: int, index: int) -> bytes:
        wanted[level, index] = None
        return bytes(HASH_BYTES)

    compute(record)
    hashes = await _load_subtrees(connection, list(wanted))
    return compute(lambda level, index: hashes[level, index])


async def _load_subtrees(connection: Connection, wanted: Sequence[tuple[int, int]]) -> dict[tuple[int, int], bytes]:
    leaf_ranges = [_children(level, index) for level, index in wanted if level < TILE_LEVELS]
    node_ranges = [(_base(level), *_children(level, index)) for level, index in wanted if level >= TILE_LEVELS]
    leaves = await queries.load_leaves(connection, leaf_ranges) if leaf_ranges else {}
    nodes = await queries.load_nodes(connection, node_ranges) if node_ranges else {}

    def subtree(level: int, index: int) -> bytes:
        base, (low, high) = _base(level), _children(level, index)
        hashes = [leaves[each] if base == 0 else nodes[base, each] for each in range(low, high)]
        while len(hashes) > 1:
            hashes = [node_hash(hashes[at], hashes[at + 1]) for at in range(0, len(hashes), 2)]
        return hashes[0]

    return {(level, index): subtree(level, index) for level, index in wanted}


def _base(level: int) -> int:
    """The stored level at or below `level`."""
    return level - level % TILE_LEVELS


def _children(level: int, index: int) -> tuple[int, int]:
    """The half-open range of stored nodes (or leaves) that a node covers."""
    below = level % TILE_LEVELS
    return index << below, (index + 1) << below
