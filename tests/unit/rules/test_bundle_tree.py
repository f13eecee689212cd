"""The tree of a bundle against the tree of RFC 6962, at every size."""

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aml.rules.bundle_tree import BundleTree, TreeIncomplete, check_upper_tiles, read_tree
from aml.rules.merkle import EMPTY_ROOT, Frontier, verify_inclusion


def leaves(count: int) -> list[bytes]:
    return [hashlib.sha256(b"%d" % number).digest() for number in range(count)]


def root_of(found: list[bytes]) -> bytes:
    frontier = Frontier()
    for leaf in found:
        frontier.append(leaf)
    return frontier.root()


def files_of(count: int) -> dict[str, bytes]:
    return {name.path: data for name, data in BundleTree(leaves(count)).tiles()}


@settings(max_examples=40, deadline=None)
@given(count=st.integers(min_value=1, max_value=600), data=st.data())
def test_every_older_root_and_every_proof_follows_from_the_leaves(count: int, data: st.DataObject) -> None:
    found = leaves(count)
    tree = BundleTree(found)
    size = data.draw(st.integers(min_value=1, max_value=count))
    index = data.draw(st.integers(min_value=0, max_value=size - 1))
    assert tree.root(size) == root_of(found[:size])
    proof = tree.proof(index, size)
    verify_inclusion(index=index, size=size, leaf=found[index], proof=proof, root=tree.root(size))


def test_an_empty_tree() -> None:
    assert BundleTree([]).root(0) == EMPTY_ROOT
    assert list(BundleTree([]).tiles()) == []


@pytest.mark.parametrize("count", [1, 255, 256, 257, 600])
def test_tiles_are_read_back(count: int) -> None:
    files = files_of(count)
    tree = read_tree(files, count)
    assert tree.leaves == leaves(count)
    check_upper_tiles(files, tree)


def test_a_missing_tile_is_named_by_its_first_entry() -> None:
    files = files_of(600)
    del files["tile/0/001"]
    with pytest.raises(TreeIncomplete) as refusal:
        read_tree(files, 600)
    assert (refusal.value.code, refusal.value.entry) == ("tile_missing", 256)


def test_a_tree_that_ends_early_names_the_first_missing_entry() -> None:
    with pytest.raises(TreeIncomplete) as refusal:
        read_tree(files_of(600), 610)
    assert (refusal.value.code, refusal.value.entry) == ("tree_truncated", 600)


def test_a_tile_of_another_length() -> None:
    files = files_of(600)
    files["tile/0/001"] = files["tile/0/001"][:-1]
    with pytest.raises(TreeIncomplete) as refusal:
        read_tree(files, 600)
    assert refusal.value.code == "tile_malformed"


def test_an_upper_tile_that_the_lower_ones_do_not_give() -> None:
    files = files_of(600)
    files["tile/1/000.p/2"] = bytes(64)
    with pytest.raises(TreeIncomplete) as refusal:
        check_upper_tiles(files, read_tree(files, 600))
    assert refusal.value.code == "tile_differs"
