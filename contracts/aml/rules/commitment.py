"""Hiding commitments: an event can be public while the short answer it cites stays unguessable.

`digest = SHA-256(tag ‖ nonce ‖ payload)` with a 32-byte nonce. The nonce is a PRF of the payload under the job's data key,
so that a unit which is worked on twice commits to the same payload in the same way; whoever lacks the key cannot tell it
from random, and shredding the key shreds the nonce with it.
"""

import hashlib

TAG = b"aml.evidence.commitment.v1\x00"
NONCE_BYTES = 32
_PERSON = b"aml.nonce.v1"


def nonce_for(data_key: bytes, context: bytes, payload: bytes) -> bytes:
    """Keyed BLAKE2b (RFC 7693), one pass over the payload. `context` separates equal payloads of different events (their ids)."""
    hasher = hashlib.blake2b(context, key=data_key, digest_size=NONCE_BYTES, person=_PERSON)
    hasher.update(b"\x00")
    hasher.update(payload)
    return hasher.digest()


def commit(nonce: bytes, payload: bytes) -> str:
    """Lower-case hex. Raises `ValueError` for a nonce that is not 32 bytes."""
    if len(nonce) != NONCE_BYTES:
        raise ValueError(f"a commitment's nonce has {NONCE_BYTES} bytes, not {len(nonce)}")
    return hashlib.sha256(TAG + nonce + payload).hexdigest()
