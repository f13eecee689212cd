"""Access, keys and versions: who may run what. Contacts, addresses and secrets stay out of events."""

from typing import Literal

from .envelope import Count, Digest, Fact, Token
from .vocabulary import Division, Track


class AccessRequested(
    Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="access_requested.v1"
):
    access_id: Token
    system: str
    version: str
    track: Track
    division: Division
    disclosure: Digest
    """SHA-256 of the canonical application, so that a reviewer's decision is bound to what was read."""


class AccessApproved(
    Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="access_approved.v1"
):
    access_id: Token
    key_id: Token
    version_id: Token
    reviewer: str


class AccessDeclined(
    Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="access_declined.v1"
):
    access_id: Token
    reviewer: str
    reason: str


class KeyIssued(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="key_issued.v1"):
    key_id: Token
    prefix: str
    """The visible first characters of the key; the rest is stored only as a hash."""
    role: Literal["participant", "reviewer", "operator"]


class KeyRevoked(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="key_revoked.v1"):
    key_id: Token
    reason: str


class KeyRotated(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="key_rotated.v1"):
    """The key's text is another one from here on; whose key it is and what it may do stay as they were."""

    key_id: Token
    number: Count
    """From 1 for each key."""
    prefix: str


class VersionBound(
    Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="version_bound.v1"
):
    version_id: Token
    key_id: Token
    system: str
    version: str
    track: Track
    division: Division


class VersionDisclosed(
    Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="version_disclosed.v1"
):
    """What the public may read about a bound version: its applicant agreed to that. Stated once, with the binding.

    Everything is the applicant's own text and untrusted.
    """

    version_id: Token
    key_id: Token
    organisation: str | None
    repository: str | None
    commit: str | None
    original_works: str | None
    authors: str | None
    technical_report: str | None
    method_changes: str | None
    product_version: str | None


class VersionChanged(
    Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="version_changed.v1"
):
    """Its owner edited it before its first full run. What the public may read is here as it stands since then.

    Untrusted text, as in `VersionDisclosed`. Addresses are not in it: only that they were changed.
    """

    version_id: Token
    key_id: Token
    number: Count
    """From 1 for each version."""
    changed: tuple[Literal["endpoints", "auth", "capacity", "timeouts", "rate_limits", "texts", "disclosure"], ...]
    new_smoke_needed: bool
    """The endpoints are others than those of any smoke run before."""
    organisation: str | None
    repository: str | None
    commit: str | None
    original_works: str | None
    authors: str | None
    technical_report: str | None
    method_changes: str | None
    product_version: str | None


Disclosed = VersionDisclosed | VersionChanged
"""What the public may read about a version. The highest number holds; what was said with the binding is before all of them."""


class VersionWithdrawn(
    Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="version_withdrawn.v1"
):
    """By its owner, before its first full run. No job starts for it any more."""

    version_id: Token
    key_id: Token
    reason: str


class MemoryKeyReplaced(
    Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="memory_key_replaced.v1"
):
    """The key with which the participant is called is another one for every job that is requested from here on."""

    version_id: Token
    key_id: Token
    """The leaderboard key of the owner who replaced it."""
    number: Count
    """From 1 for each version."""
