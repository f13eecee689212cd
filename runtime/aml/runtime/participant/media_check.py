"""Image parts: an inline Base64 data URI whose bytes are what its type says, within the media limits (bytes, decoded)."""

import base64
import binascii
import re
from typing import Final

from .errors import MediaRefused

MAX_IMAGE_BYTES: Final = 10 * 1024 * 1024
MAX_CALL_BYTES: Final = 30 * 1024 * 1024
"""Over all images of one Add request or one Search response."""

_DATA_URI: Final = re.compile(r"data:image/(jpeg|png|webp);base64,", re.ASCII)


def image_bytes(uri: str, path: str) -> int:
    """Decoded size. Raises `MediaRefused` with `path`."""
    found = _DATA_URI.match(uri)
    if found is None:
        raise MediaRefused("the image is not an inline Base64 data URI of a JPEG, PNG or WebP", path=path)
    if (len(uri) - found.end()) // 4 * 3 > MAX_IMAGE_BYTES + 2:
        raise MediaRefused(f"the image is larger than {MAX_IMAGE_BYTES} bytes", path=path)
    try:
        data = base64.b64decode(uri[found.end() :], validate=True)
    except (binascii.Error, ValueError):
        raise MediaRefused("the image is not valid Base64", path=path) from None
    if len(data) > MAX_IMAGE_BYTES:
        raise MediaRefused(f"the image is larger than {MAX_IMAGE_BYTES} bytes", path=path)
    if _kind(data) != found[1]:
        raise MediaRefused(f"the bytes are not those of an image/{found[1]}", path=path)
    return len(data)


def check_total(size: int) -> None:
    if size > MAX_CALL_BYTES:
        raise MediaRefused(f"the images of one call are larger than {MAX_CALL_BYTES} bytes together")


def _kind(data: bytes) -> str | None:
    if data.startswith(b"\xff\xd8\xff"):
        return "jpeg"
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "png"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp"
    return None
