"""The plaintext of an evidence object: `flag ‖ nonce ‖ payload`, the payload compressed where the flag says so.

Zstandard, level 1, from 32 KiB on: packs and long contexts are text and shrink to a third or less. Below that the
milliseconds belong to the hot path and the bytes to one disk block or two. Figures: docs/adr/0016.
"""

import sys
from typing import Final

from aml.rules.commitment import NONCE_BYTES

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

COMPRESSED_FROM: Final = 32 * 1024
"""Bytes of payload."""
_LEVEL: Final = 1
_PLAIN: Final = b"\x00"
_ZSTD: Final = b"\x01"


class FrameInvalid(Exception):
    """Decrypted bytes are no frame: written by a later version, or not by us."""


def frame(nonce: bytes, payload: bytes) -> bytes:
    """Compressed only when it is shorter for it: pictures and ciphertext are not."""
    if len(payload) >= COMPRESSED_FROM:
        small = zstd.compress(payload, level=_LEVEL)
        if len(small) < len(payload):
            return _ZSTD + nonce + small
    return _PLAIN + nonce + payload


def is_compressed(framed: bytes) -> bool:
    return framed[:1] == _ZSTD


def unframe(framed: bytes) -> tuple[bytes, bytes]:
    """Nonce and payload. Raises `FrameInvalid`."""
    flag, nonce, body = framed[:1], framed[1 : 1 + NONCE_BYTES], framed[1 + NONCE_BYTES :]
    if len(nonce) != NONCE_BYTES:
        raise FrameInvalid("shorter than a nonce")
    if flag == _PLAIN:
        return nonce, body
    if flag != _ZSTD:
        raise FrameInvalid(f"flag {flag.hex()} is unknown")
    try:
        return nonce, zstd.decompress(body)
    except zstd.ZstdError as error:
        raise FrameInvalid(str(error)) from None
