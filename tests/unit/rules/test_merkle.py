import base64
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.rules.merkle import (
    EMPTY_ROOT,
    Frontier,
    ProofInvalid,
    consistency_proof,
    inclusion_proof,
    leaf_hash,
    node_hash,
    root_of,
    verify_consistency,
    verify_inclusion,
)

VECTORS = Path(__file__).parents[3] / "../shared/vectors/merkle"
needs_vectors = pytest.mark.skipif(not VECTORS.is_dir(), reason=f"{VECTORS} is not here")

LEAVES = [leaf_hash(bytes([n])) for n in range(200)] + [leaf_hash(b"%d" % n) for n in range(200)]


def node(level: int, index: int) -> bytes:
    if level == 0:
        return LEAVES[index]
    return node_hash(node(level - 1, 2 * index), node(level - 1, 2 * index + 1))


def grown(size: int) -> Frontier:
    frontier = Frontier()
    for leaf in LEAVES[:size]:
        frontier.append(leaf)
    return frontier


def cases(kind: str) -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in sorted((VECTORS / kind).rglob("*.json"))]


def raw(text: str | None) -> bytes:
    return base64.b64decode(text or "")


@needs_vectors
def test_all_published_inclusion_proofs() -> None:
    found = cases("inclusion")
    assert len(found) > 80
    for case in found:
        arguments = {
            "index": case["leafIdx"],
            "size": case["treeSize"],
            "leaf": raw(case["leafHash"]),
            "root": raw(case["root"]),
            "proof": [raw(each) for each in case["proof"] or ()],
        }
        if case["wantErr"]:
            with pytest.raises(ProofInvalid):
                verify_inclusion(**arguments)
        else:
            verify_inclusion(**arguments)


@needs_vectors
def test_all_published_consistency_proofs() -> None:
    found = cases("consistency")
    assert len(found) > 80
    for case in found:
        arguments = {
            "old": case["size1"],
            "new": case["size2"],
            "old_root": raw(case["root1"]),
            "new_root": raw(case["root2"]),
            "proof": [raw(each) for each in case["proof"] or ()],
        }
        if case["wantErr"]:
            with pytest.raises(ProofInvalid):
                verify_consistency(**arguments)
        else:
            verify_consistency(**arguments)


@given(st.integers(1, 400), st.data())
def test_made_inclusion_proofs_verify_and_altered_ones_do_not(size: int, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, size - 1))
    proof = inclusion_proof(index, size, node)
    root = grown(size).root()
    verify_inclusion(index=index, size=size, leaf=LEAVES[index], proof=proof, root=root)
    with pytest.raises(ProofInvalid):
        verify_inclusion(index=index, size=size, leaf=leaf_hash(b"another"), proof=proof, root=root)
    with pytest.raises(ProofInvalid):
        verify_inclusion(index=index, size=size, leaf=LEAVES[index], proof=(*proof, LEAVES[0]), root=root)


@given(st.integers(1, 400), st.data())
def test_made_consistency_proofs_verify_and_altered_ones_do_not(new: int, data: st.DataObject) -> None:
    old = data.draw(st.integers(1, new))
    roots = {"old_root": grown(old).root(), "new_root": grown(new).root()}
    proof = consistency_proof(old, new, node)
    verify_consistency(old=old, new=new, proof=proof, **roots)
    with pytest.raises(ProofInvalid):
        verify_consistency(old=old, new=new, proof=(*proof, LEAVES[0]), **roots)
    if old < new:
        with pytest.raises(ProofInvalid):
            verify_consistency(old=old, new=new, proof=proof, old_root=LEAVES[-1], new_root=roots["new_root"])


@given(st.integers(0, 400))
def test_the_frontier_has_the_tree_root_and_survives_being_stored(size: int) -> None:
    frontier = grown(size)
    assert frontier.root() == root_of(size, node)
    again = Frontier.from_bytes(size, frontier.to_bytes())
    again.append(LEAVES[0])
    frontier.append(LEAVES[0])
    assert again.root() == frontier.root()


def test_the_empty_tree() -> None:
    assert Frontier().root() == EMPTY_ROOT
    assert EMPTY_ROOT.hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_a_full_tile_is_reported_once_with_its_root() -> None:
    frontier = Frontier()
    found = [done for leaf in LEAVES[:300] for done in frontier.append(leaf)]
    assert found == [(8, 0, node(8, 0))]


def test_a_frontier_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="no right edge"):
        Frontier(3, [LEAVES[0]])


@pytest.mark.parametrize(("index", "size"), [(0, 0), (3, 3), (-1, 4)])
def test_no_proof_of_a_leaf_that_is_not_there(index: int, size: int) -> None:
    with pytest.raises(ValueError, match="has no leaf"):
        inclusion_proof(index, size, node)
