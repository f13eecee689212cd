from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aml.rules.merkle import EMPTY_ROOT, Frontier, leaf_hash
from aml.rules.tile_edge import TileEdge, TileFile
from aml.rules.tiles import TileInvalid, TileName, encode_bundle, partials_of, tiles_of

LARGEST = 66_000


def entry(n: int) -> bytes:
    return b"entry %d" % n


@cache
def leaves() -> list[bytes]:
    return [leaf_hash(entry(n)) for n in range(LARGEST)]


def grown(size: int, edge: TileEdge | None = None) -> tuple[TileEdge, list[TileFile]]:
    edge = edge or TileEdge()
    files: list[TileFile] = []
    for n in range(edge.size, size):
        files.extend(edge.append(leaves()[n], entry(n)))
    return edge, files


def root(size: int) -> bytes:
    frontier = Frontier()
    for n in range(size):
        frontier.append(leaves()[n])
    return frontier.root()


def test_an_empty_tree_has_no_files() -> None:
    edge = TileEdge()

    assert (edge.root(), edge.partials()) == (EMPTY_ROOT, [])


@settings(max_examples=25)
@given(st.integers(1, 1500))
def test_files_are_those_of_the_tree_and_its_root_is_rfc_6962s(size: int) -> None:
    edge, full = grown(size)

    assert {name for name, _ in [*full, *edge.partials()]} == set(tiles_of(size))
    assert edge.root() == root(size)
    assert all(len(data) == name.width * 32 for name, data in full if name.level is not None)


def test_a_tree_of_three_levels() -> None:
    edge, full = grown(LARGEST)

    assert [name.path for name, _ in full if name.level == 1] == ["tile/1/000"]
    assert {name.path: data for name, data in edge.partials()}["tile/2/000.p/1"] == root(65_536)
    assert edge.root() == root(LARGEST)


@settings(max_examples=25)
@given(st.integers(0, 1200), st.integers(0, 700))
def test_an_edge_taken_up_from_its_files_grows_as_the_old_one_would(size: int, more: int) -> None:
    edge, _ = grown(size)
    again = TileEdge.from_partials(size, dict(edge.partials()))

    assert grown(size + more, again)[1] == grown(size + more, edge)[1]
    assert again.root() == root(size + more)


@pytest.mark.parametrize("size", [3, 300])
def test_files_that_contradict_each_other_are_refused(size: int) -> None:
    files = dict(grown(size)[0].partials())
    bundle = next(name for name in files if name.level is None)
    other = encode_bundle([b"other" for _ in range(bundle.width)])

    with pytest.raises(TileInvalid, match="does not hash"):
        TileEdge.from_partials(size, files | {bundle: other})
    with pytest.raises(TileInvalid):
        TileEdge.from_partials(size, files | {bundle: b""})


def test_a_wrong_hash_above_the_leaves_gives_another_root() -> None:
    files = dict(grown(300)[0].partials())
    name = TileName(level=1, index=0, width=1)

    assert set(files) == set(partials_of(300))
    assert TileEdge.from_partials(300, files | {name: bytes(32)}).root() != root(300)
