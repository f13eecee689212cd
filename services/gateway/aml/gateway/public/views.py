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
