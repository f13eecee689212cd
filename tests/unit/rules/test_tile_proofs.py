from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aml.rules.merkle import HASH_BYTES, leaf_hash, verify_consistency, verify_inclusion
from aml.rules.tile_edge import TileEdge
from aml.rules.tile_proofs import consistency_of, from_tiles, inclusion_of, needed_tiles
from aml.rules.tiles import TileInvalid, TileName

SIZE = 66_100


@cache
def log() -> tuple[dict[TileName, bytes], list[bytes]]:
    edge, files, leaves = TileEdge(), {}, []
    for n in range(SIZE):
        body = b"%d" % n
        leaves.append(leaf_hash(body))
        files.update(edge.append(leaves[-1], body))
    return files | dict(edge.partials()), leaves


def read(name: TileName) -> bytes:
    """As a log of that smaller size had it: a hash tile only grows at its end."""
    files = log()[0]
    grown = next(each for each in files if (each.level, each.index) == (name.level, name.index))
    return files[grown][: HASH_BYTES * name.width]


sizes = st.integers(1, SIZE) | st.sampled_from([1, 255, 256, 257, 65_535, 65_536, 65_537])


@settings(max_examples=60)
@given(sizes, st.data())
def test_inclusion_from_a_few_tiles(size: int, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, size - 1))
    wanted = inclusion_of(index, size)
    tiles = {name: read(name) for name in needed_tiles(size, wanted)}

    leaf, root, proof = from_tiles(size, tiles, wanted)

    assert leaf == log()[1][index]
    verify_inclusion(index=index, size=size, leaf=leaf, proof=proof, root=root)
    assert len(tiles) <= 6


@settings(max_examples=60)
@given(sizes, sizes)
def test_consistency_from_a_few_tiles(one: int, other: int) -> None:
    old, new = sorted((one, other))
    wanted = consistency_of(old, new)
    proof = from_tiles(new, {name: read(name) for name in needed_tiles(new, wanted)}, wanted)

    roots = [from_tiles(size, _tiles(size), inclusion_of(0, size))[1] for size in (old, new)]
    verify_consistency(old=old, new=new, old_root=roots[0], new_root=roots[1], proof=proof)


def _tiles(size: int) -> dict[TileName, bytes]:
    return {name: read(name) for name in needed_tiles(size, inclusion_of(0, size))}


def test_a_tile_of_the_wrong_length_is_refused() -> None:
    wanted = inclusion_of(5, 300)
    tiles = {name: read(name) for name in needed_tiles(300, wanted)}
    name = next(iter(tiles))

    with pytest.raises(TileInvalid, match=name.path.replace(".", r"\.")):
        from_tiles(300, tiles | {name: tiles[name][:-1]}, wanted)


def test_a_tree_has_no_proof_of_what_it_does_not_hold() -> None:
    for index, size in ((5, 5), (-1, 5), (0, 0)):
        with pytest.raises(ValueError, match="has no leaf"):
            inclusion_of(index, size)
    for old, new in ((0, 5), (6, 5)):
        with pytest.raises(ValueError, match="no consistency proof"):
            consistency_of(old, new)
