"""The bundle's tlog-proofs: each must lead from its entry to the bundle's own checkpoint."""

from aml.rules.bundle_archive import BundleFiles
from aml.rules.bundle_layout import PROOFS
from aml.rules.bundle_tree import BundleTree
from aml.rules.checkpoint import Checkpoint, NoteInvalid
from aml.rules.merkle import ProofInvalid, verify_inclusion
from aml.rules.tlog_proof import TlogProofInvalid, parse_tlog_proof

from .findings import BundleUnusable, Findings
from .head import Keys, open_head, read_head


def check_proofs(files: BundleFiles, keys: Keys, checkpoint: Checkpoint, tree: BundleTree, findings: Findings) -> None:
    names = sorted(name for name in files if name.startswith(PROOFS))
    for name in names:
        try:
            _check(name, files[name], keys, checkpoint, tree, findings)
        except (TlogProofInvalid, UnicodeDecodeError, BundleUnusable) as error:
            findings.refuse("proofs", "proof_malformed", f"{name}: {error}")
    if names:
        findings.passed("proofs", f"{len(names)} inclusion proofs lead to the checkpoint's root")
    else:
        findings.skipped("proofs", "the bundle holds no single proofs")


def _check(name: str, data: bytes, keys: Keys, checkpoint: Checkpoint, tree: BundleTree, findings: Findings) -> None:
    proof = parse_tlog_proof(data.decode())
    head = read_head(proof.checkpoint)
    index = proof.index
    if head != checkpoint:
        problem = f"{name} proves entry {index} in a tree of {head.size}, not in the bundle's of {checkpoint.size}"
        findings.refuse("proofs", "proof_of_other_tree", problem, entry=index)
        return
    try:
        open_head(proof.checkpoint, keys)  # it is to be shown alone, so its own signature counts
    except NoteInvalid as error:
        findings.refuse("proofs", "proof_unsigned", f"{name}: {error.problem}", entry=index)
        return
    if not 0 <= index < tree.size:
        findings.refuse("proofs", "proof_wrong", f"{name}: the tree has no entry {index}", entry=index)
        return
    try:
        verify_inclusion(
            index=index, size=checkpoint.size, leaf=tree.leaves[index], proof=proof.proof, root=checkpoint.root
        )
    except ProofInvalid as error:
        findings.refuse("proofs", "proof_wrong", f"{name}: {error.problem}", entry=index)
