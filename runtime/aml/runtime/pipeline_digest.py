"""The fingerprint of the code that decides results: every source file of contracts, rules, runtime and the services."""

import hashlib
from functools import cache
from importlib.util import find_spec
from pathlib import Path

PIPELINE_PACKAGES = (
    "aml.contracts", "aml.rules", "aml.runtime",
    "aml.gateway", "aml.ingest", "aml.retrieval", "aml.judge", "aml.ledger", "aml.publisher",
)  # fmt: skip


@cache
def pipeline_digest() -> str:
    """SHA-256 over the installed `.py` files: package, relative path and bytes, length-prefixed, in sorted order.

    A package that is not installed is left out, so every process of one deployment must have the same extras installed;
    the one image has all of them.
    """
    hasher = hashlib.sha256()
    for package in PIPELINE_PACKAGES:
        root = _folder_of(package)
        if root is None:
            continue
        for path in sorted(root.rglob("*.py")):
            for part in (package.encode(), path.relative_to(root).as_posix().encode(), path.read_bytes()):
                hasher.update(len(part).to_bytes(8, "big"))
                hasher.update(part)
    return hasher.hexdigest()


def _folder_of(package: str) -> Path | None:
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))
