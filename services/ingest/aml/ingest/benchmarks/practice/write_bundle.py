"""Writing the practice bundle: the same bytes for ever, for a given version of the generator."""

import hashlib
import os
from pathlib import Path
from typing import Final

from .bundle_format import encode_practice
from .generate import generate_practice

FULL_SHA256: Final = "34da0b78ff1b9eda5f4dc37c45136d6dac16ae2340e7cd586f20dd51ef397ee7"
SMOKE_SHA256: Final = "9e8b156957fb03ca69801127d436deaecea34d77695a5ada5dbba217edc53075"
"""What the generator of this version writes. A test holds it to them; a changed script is a new version of the dataset."""


def practice_bytes(*, smoke: bool) -> bytes:
    return encode_practice(generate_practice(smoke=smoke))


def write_practice_bundle(path: Path, *, smoke: bool) -> str:
    """Writes the bundle by way of a file beside it, so that no reader sees half of it. Returns its SHA-256 in hex."""
    data = practice_bytes(smoke=smoke)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    partial.write_bytes(data)
    partial.replace(path)
    return hashlib.sha256(data).hexdigest()
