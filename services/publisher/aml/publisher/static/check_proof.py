"""Checks a proof file of the board: entry -> leaf -> root -> checkpoint. Needs Python 3.8+ and nothing else.

    python3 check_proof.py JOB.json

RFC 6962, section 2.1: leaf = SHA-256(00 || entry), node = SHA-256(01 || left || right). The signature of the checkpoint
(a C2SP signed note) is left to a note verifier, since Ed25519 is not in the standard library.
"""

from __future__ import annotations

import base64
import hashlib
import json
import sys
from pathlib import Path


def node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def root_from(leaf: bytes, index: int, size: int, proof: list[bytes]) -> bytes:
    """RFC 9162, section 2.1.3.2."""
    position, last, root = index, size - 1, leaf
    for step in proof:
        if last == 0:
            raise ValueError("the audit path is too long")
        if position % 2 or position == last:
            root = node(step, root)
            while not position % 2 and position:
                position, last = position >> 1, last >> 1
        else:
            root = node(root, step)
        position, last = position >> 1, last >> 1
    if last:
        raise ValueError("the audit path is too short")
    return root


def main(path: str) -> int:
    proof = json.loads(Path(path).read_text("utf-8"))
    log = proof["log"]
    leaf = hashlib.sha256(b"\x00" + proof["entry"].encode()).digest()
    root = root_from(leaf, log["index"], log["tree_size"], [bytes.fromhex(step) for step in log["proof"]])
    _origin, size, signed_root = proof["checkpoint"].split("\n")[:3]
    checks = {
        "the entry has the stated leaf hash": leaf.hex() == log["leaf"],
        "the audit path leads to the stated root": root.hex() == log["root"],
        "the checkpoint commits to this root": base64.b64decode(signed_root) == root and int(size) == log["tree_size"],
        "the entry is this job's": json.loads(proof["entry"])["event"]["job_id"] == proof["job_id"],
    }
    for check, passed in checks.items():
        sys.stdout.write(f"{'ok  ' if passed else 'FAIL'} {check}\n")
    return 0 if all(checks.values()) else 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python3 check_proof.py JOB.json")
    sys.exit(main(sys.argv[1]))
