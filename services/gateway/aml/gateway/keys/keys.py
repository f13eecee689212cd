"""Leaderboard keys: made once, shown once, kept as a hash beside their visible beginning."""

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from .views import Role

VISIBLE_CHARS = 12
_HASHED_MIN_CHARS = 16


class FreshKey(Struct, frozen=True, kw_only=True):
    """`text` goes to its owner and nowhere else."""

    text: str
    prefix: str
    hash: bytes


class StoredKey(Struct, frozen=True, kw_only=True):
    key_id: str
    role: Role
    hash: bytes
    revoked: bool = False
    expired: bool = False
    used: bool = True
    """False for a key that was shown and has opened nothing yet."""
    prefix: str = ""


class Caller(Struct, frozen=True, kw_only=True):
    key_id: str
    role: Role


def make_key(role: Role) -> FreshKey:
    return describe_key(f"aml_{role[0]}_{secrets.token_urlsafe(32)}")


def describe_key(text: str) -> FreshKey:
    return FreshKey(text=text, prefix=text[:VISIBLE_CHARS], hash=hash_key(text))


def hash_key(text: str) -> bytes:
    """Plain SHA-256: a key has 256 bits of chance, so there is nothing to stretch."""
    return hashlib.sha256(b"aml.key.v1\x00" + text.encode("utf-8", "surrogatepass")).digest()


def match_key(text: str, candidates: Sequence[StoredKey]) -> StoredKey | None:
    """Compares with every key of the same visible beginning, each in constant time; whether it still opens comes after."""
    found, shown = None, hash_key(text)
    for candidate in candidates:
        if hmac.compare_digest(candidate.hash, shown):
            found = candidate
    return found


def why_refused(key: StoredKey) -> Literal["key_revoked", "key_expired"] | None:
    """Told to nobody but the key's holder: only the whole key leads here."""
    if key.revoked:
        return "key_revoked"
    return "key_expired" if key.expired else None


def is_plausible(text: str) -> bool:
    """Long enough to have been a key; spares the database what cannot be one."""
    return len(text) >= _HASHED_MIN_CHARS and text.isascii() and text.isprintable()
