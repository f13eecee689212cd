"""What an audit bundle says about itself, and how it opens a commitment. The archive's layout is in `aml.rules.bundle_layout`."""

from typing import Literal

from msgspec import Struct

from .envelope import Count, Digest, Token

BundleScope = Literal["job", "board", "cycle"]
"""`cycle` holds the whole log; the others hold whole jobs and what the gate looked at beside them."""


class BundleManifest(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="aml_bundle.v1"
):
    """`bundle.json`. Nothing in it is believed: it says what to expect, and each expectation is checked."""

    scope: BundleScope
    origin: str
    """The log's name."""
    size: Count
    """Entries that the checkpoint covers."""
    entries: Count
    """Entries that the bundle holds."""
    jobs: tuple[Token, ...]
    """Jobs of which the bundle holds every entry, sorted; empty for `cycle`, which holds every entry of every job."""
    opened: tuple[Token, ...]
    """Jobs whose evidence can be read in the bundle, sorted."""


class Opening(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of `openings/<job>/<page>.jsonl`: the nonce and the payload behind a commitment."""

    digest: Digest
    nonce: Digest
    """32 bytes, lower-case hex."""
    media_type: str
    payload: bytes
    """Base64 in JSON."""
