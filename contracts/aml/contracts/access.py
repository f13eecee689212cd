"""Access, keys and versions: who may run what. Contacts, addresses and secrets stay out of events."""

from typing import Literal

from .envelope import Digest, Fact, Token
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


class VersionBound(
    Fact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="version_bound.v1"
):
    version_id: Token
    key_id: Token
    system: str
    version: str
    track: Track
    division: Division
