from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.rules.merkle import leaf_hash
from aml.rules.tiles import (
    MAX_ENTRY_BYTES,
    TileInvalid,
    TileName,
    decode_bundle,
    decode_tile,
    encode_bundle,
    first_part,
    index_path,
    parse_tile_path,
    partials_of,
    tiles_of,
)

LOG = Path(__file__).parents[3] / "../shared/vectors/tessera_log"
needs_vectors = pytest.mark.skipif(not LOG.is_dir(), reason=f"{LOG} is not here")

names = st.builds(
    TileName,
    level=st.none() | st.integers(0, 63),
    index=st.integers(0, 10**15),
    width=st.integers(1, 256),
)


@needs_vectors
@pytest.mark.parametrize("size", range(1, 16))
def test_the_layout_is_another_implementations(size: int) -> None:
    bundle, tile = tiles_of(size)

    entries = decode_bundle(bundle, (LOG / bundle.path).read_bytes())
    hashes = decode_tile(tile, (LOG / tile.path).read_bytes())

    assert [leaf_hash(entry) for entry in entries] == list(hashes)
    assert encode_bundle(entries) == (LOG / bundle.path).read_bytes()


def test_an_index_becomes_groups_of_three_digits() -> None:
    assert [index_path(n) for n in (0, 67, 999, 1000, 1234067)] == [*("000", "067", "999", "x001/000", "x001/x234/067")]


@given(names)
def test_a_path_is_read_back(name: TileName) -> None:
    assert parse_tile_path(name.path) == name


@pytest.mark.parametrize(
    "path",
    [
        *("", "tile/0", "tile/0/0", "tile/0/00", "tile/00/000", "tile/64/000", "tile/-1/000", "tile/0/x000/067"),
        *("tile/0/000.p/0", "tile/0/000.p/256", "tile/0/000.p/01", "tile/0/000.p/", "tile/0/001/002", "tile/0/000\n"),
        *("tile/entries/../../etc/passwd", "/tile/0/000", "tile/data/000", "tile/0/٠٠٠", "checkpoint"),
    ],
)
def test_no_other_path_names_a_tile(path: str) -> None:
    with pytest.raises(TileInvalid):
        parse_tile_path(path)


def test_a_tree_of_70000_has_the_tiles_of_the_specification() -> None:
    found = list(tiles_of(70_000))

    def of(level: int | None, *, full: bool) -> list[int]:
        return [each.width for each in found if each.level == level and (each.width == 256) == full]

    assert [len(of(level, full=True)) for level in (None, 0, 1, 2)] == [273, 273, 1, 0]
    assert [of(level, full=False) for level in (None, 0, 1, 2)] == [[112], [112], [17], [1]]


@given(st.integers(0, 300_000))
def test_partial_tiles_are_those_of_the_tree_that_are_not_full(size: int) -> None:
    assert list(partials_of(size)) == [name for name in tiles_of(size) if name.width < 256]


@given(st.lists(st.binary(max_size=300), min_size=1, max_size=40), st.data())
def test_a_bundle_is_read_back_and_nothing_shorter_is(entries: list[bytes], data: st.DataObject) -> None:
    name = TileName(level=None, index=3, width=len(entries))
    encoded = encode_bundle(entries)

    assert list(decode_bundle(name, encoded)) == entries
    with pytest.raises(TileInvalid):
        decode_bundle(name, encoded[: data.draw(st.integers(0, len(encoded) - 1))])
    with pytest.raises(TileInvalid):
        decode_bundle(name, encoded + encode_bundle([b"more"]))


def test_the_longest_entry_fits_and_a_longer_one_does_not() -> None:
    longest = bytes(MAX_ENTRY_BYTES)

    assert decode_bundle(TileName(level=None, index=0, width=1), encode_bundle([longest])) == (longest,)
    with pytest.raises(OverflowError):
        encode_bundle([longest + b"\0"])


def test_a_partial_tile_can_be_cut_from_the_full_one() -> None:
    entries = [b"%d" % n for n in range(256)]
    hashes = [leaf_hash(entry) for entry in entries]

    assert first_part(TileName(level=0, index=0, width=7), b"".join(hashes)) == b"".join(hashes[:7])
    assert first_part(TileName(level=None, index=0, width=7), encode_bundle(entries)) == encode_bundle(entries[:7])
    with pytest.raises(TileInvalid, match="tile/0/000"):
        first_part(TileName(level=0, index=0, width=7), b"short")
