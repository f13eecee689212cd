"""What callers are answered. Times are UTC (RFC 3339); scores are in millionths, latencies in microseconds."""

from msgspec import Struct

from aml.contracts.release import Release


class ReleaseView(Struct, frozen=True, kw_only=True):
    release_id: str
    title: str
    digest: str
    comparable: bool
    track: str
    top_k: int
    default: bool
    contract: Release
    """The whole `release.toml`."""


class ReleaseList(Struct, frozen=True, kw_only=True):
    releases: tuple[ReleaseView, ...]


class LogProof(Struct, frozen=True, kw_only=True):
    """As the ledger answers. Hashes in hex; RFC 6962's inclusion proof, from the leaf up."""

    index: int
    leaf: str
    tree_size: int
    root: str
    proof: tuple[str, ...]
