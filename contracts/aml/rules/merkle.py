"""The Merkle tree of RFC 6962 §2.1: hashes, a head that grows in O(log n) memory, and proofs made and checked.

A *node* is named `(level, index)`: the complete subtree over the leaves `[index·2^level, (index+1)·2^level)`.
"""

import hashlib
from collections.abc import Callable, Sequence
from typing import Final

HASH_BYTES: Final = 32
EMPTY_ROOT: Final = hashlib.sha256(b"").digest()
TILE_LEVELS: Final = 8
"""Interior nodes are stored every eight levels, as in C2SP tlog-tiles; those between are computed."""

NodeSource = Callable[[int, int], bytes]
"""`(level, index)` → hash of that complete subtree."""

Node = tuple[int, int, bytes]


class ProofInvalid(Exception):
    """A proof does not show what it is meant to show."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


def leaf_hash(entry: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


class Frontier:
    """The head of a growing tree: one hash for each complete subtree on its right edge, the largest first."""

    def __init__(self, size: int = 0, hashes: Sequence[bytes] = ()) -> None:
        """Raises `ValueError` when `hashes` cannot be the right edge of a tree of `size` leaves."""
        if size < 0 or len(hashes) != size.bit_count() or any(len(each) != HASH_BYTES for each in hashes):
            raise ValueError(f"a tree of {size} leaves has no right edge of {len(hashes)} hashes")
        self.size = size
        self._hashes = list(hashes)

    @classmethod
    def from_bytes(cls, size: int, data: bytes) -> "Frontier":
        return cls(size, [data[at : at + HASH_BYTES] for at in range(0, len(data), HASH_BYTES)])

    def to_bytes(self) -> bytes:
        """The hashes one after another; `size` is kept beside them."""
        return b"".join(self._hashes)

    def copy(self) -> "Frontier":
        return Frontier(self.size, self._hashes)

    def append(self, leaf: bytes) -> tuple[Node, ...]:
        """Returns the subtrees that this leaf completes at the levels 8, 16, …: none for 255 leaves of 256."""
        hashes, count, level = self._hashes, self.size, 0
        completed: tuple[Node, ...] = ()
        current = leaf
        while count & 1:
            current = node_hash(hashes.pop(), current)
            count >>= 1
            level += 1
            if level % TILE_LEVELS == 0:
                completed += ((level, count, current),)
        hashes.append(current)
        self.size += 1
        return completed

    def root(self) -> bytes:
        if not self._hashes:
            return EMPTY_ROOT
        root = self._hashes[-1]
        for left in reversed(self._hashes[:-1]):
            root = node_hash(left, root)
        return root


def root_of(size: int, node: NodeSource) -> bytes:
    """RFC 6962 §2.1: the root over the first `size` leaves."""
    return _subtree(0, size, node) if size else EMPTY_ROOT


def inclusion_proof(index: int, size: int, node: NodeSource) -> tuple[bytes, ...]:
    """RFC 6962 §2.1.1: the audit path of leaf `index` in the tree of `size` leaves, the leaf's sibling first."""
    if not 0 <= index < size:
        raise ValueError(f"a tree of {size} leaves has no leaf {index}")
    path: list[bytes] = []
    low, high = 0, size
    while high - low > 1:
        middle = low + _split(high - low)
        if index < middle:
            path.append(_subtree(middle, high, node))
            high = middle
        else:
            path.append(_subtree(low, middle, node))
            low = middle
    return tuple(reversed(path))


def consistency_proof(old: int, new: int, node: NodeSource) -> tuple[bytes, ...]:
    """RFC 6962 §2.1.2: that the tree of `new` leaves begins with the tree of `old` leaves. Empty when they are equal."""
    if not 0 < old <= new:
        raise ValueError(f"no consistency proof leads from {old} to {new} leaves")
    path: list[bytes] = []
    low, high, whole = 0, new, True
    while old != high:
        middle = low + _split(high - low)
        if old <= middle:
            path.append(_subtree(middle, high, node))
            high = middle
        else:
            path.append(_subtree(low, middle, node))
            low, whole = middle, False
    if not whole:
        path.append(_subtree(low, high, node))
    return tuple(reversed(path))


def verify_inclusion(*, index: int, size: int, leaf: bytes, proof: Sequence[bytes], root: bytes) -> None:
    """RFC 9162 §2.1.3.2. Raises `ProofInvalid`."""
    _require_hashes(leaf, root, *proof)
    if not 0 <= index < size:
        raise ProofInvalid(f"a tree of {size} leaves has no leaf {index}")
    position, last = index, size - 1
    current = leaf
    for sibling in proof:
        if last == 0:
            raise ProofInvalid("the inclusion proof is too long")
        if position & 1 or position == last:
            current = node_hash(sibling, current)
            while not position & 1 and position:
                position >>= 1
                last >>= 1
        else:
            current = node_hash(current, sibling)
        position >>= 1
        last >>= 1
    if last != 0:
        raise ProofInvalid("the inclusion proof is too short")
    if current != root:
        raise ProofInvalid("the inclusion proof leads to another root")


def verify_consistency(*, old: int, new: int, old_root: bytes, new_root: bytes, proof: Sequence[bytes]) -> None:
    """RFC 9162 §2.1.4.2. Raises `ProofInvalid`, also for `old = 0`: every tree extends the empty one, so it shows nothing."""
    if not 0 < old <= new:
        raise ProofInvalid(f"no consistency proof leads from {old} to {new} leaves")
    if old == new:
        if proof or old_root != new_root:
            raise ProofInvalid("two roots or a proof for one tree size")
        return
    _require_hashes(old_root, new_root, *proof)
    if not proof:
        raise ProofInvalid("the consistency proof is empty")
    path = list(proof) if old & (old - 1) else [old_root, *proof]
    of_old, of_new = _roots_of(path, old - 1, new - 1)
    if of_old != old_root:
        raise ProofInvalid("the consistency proof leads to another old root")
    if of_new != new_root:
        raise ProofInvalid("the consistency proof leads to another new root")


def _roots_of(path: Sequence[bytes], position: int, last: int) -> tuple[bytes, bytes]:
    """The old and the new root that a consistency proof leads to: steps 4 to 6 of the RFC's algorithm."""
    while position & 1:
        position >>= 1
        last >>= 1
    of_old = of_new = path[0]
    for sibling in path[1:]:
        if last == 0:
            raise ProofInvalid("the consistency proof is too long")
        if position & 1 or position == last:
            of_old, of_new = node_hash(sibling, of_old), node_hash(sibling, of_new)
            while not position & 1 and position:
                position >>= 1
                last >>= 1
        else:
            of_new = node_hash(of_new, sibling)
        position >>= 1
        last >>= 1
    if last != 0:
        raise ProofInvalid("the consistency proof is too short")
    return of_old, of_new


def _split(width: int) -> int:
    """The largest power of two below `width`."""
    return 1 << ((width - 1).bit_length() - 1)


def _subtree(low: int, high: int, node: NodeSource) -> bytes:
    """The hash over the leaves `[low, high)`, where `low` is a multiple of the power of two that covers the width."""
    width = high - low
    if width & (width - 1) == 0:
        level = width.bit_length() - 1
        return node(level, low >> level)
    middle = low + _split(width)
    return node_hash(_subtree(low, middle, node), _subtree(middle, high, node))


def _require_hashes(*hashes: bytes) -> None:
    if any(len(each) != HASH_BYTES for each in hashes):
        raise ProofInvalid(f"a hash does not have {HASH_BYTES} bytes")
