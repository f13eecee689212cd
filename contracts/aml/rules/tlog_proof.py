"""One entry's proof as one text that is checked offline: https://c2sp.org/tlog-proof, stored as `.tlog-proof`."""

import base64
import binascii
import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from .merkle import HASH_BYTES

HEADER: Final = "c2sp.org/tlog-proof@v1"
_INDEX: Final = re.compile(r"index (0|[1-9][0-9]{0,18})")
_MAX_HASHES: Final = 63


class TlogProofInvalid(Exception):
    """A text is not a proof of this form."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


class TlogProof(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    index: int
    proof: tuple[bytes, ...]
    checkpoint: str
    """The signed note, with the witnesses' lines where it has some."""
    extra: bytes | None = None
    """Not authenticated."""


def encode_tlog_proof(*, index: int, proof: Sequence[bytes], checkpoint: str) -> str:
    lines = [HEADER, f"index {index}", *(base64.b64encode(each).decode() for each in proof), ""]
    return "\n".join(lines) + "\n" + checkpoint


def parse_tlog_proof(text: str) -> TlogProof:
    """Raises `TlogProofInvalid`. The checkpoint and the hashes are read, not verified."""
    head, blank, checkpoint = text.partition("\n\n")
    lines = head.split("\n")
    if not blank or lines.pop(0) != HEADER:
        raise TlogProofInvalid(f"does not begin with {HEADER}")
    extra = _decode(lines.pop(0).removeprefix("extra ")) if lines and lines[0].startswith("extra ") else None
    found = _INDEX.fullmatch(lines.pop(0)) if lines else None
    if found is None:
        raise TlogProofInvalid("has no index line")
    if len(lines) > _MAX_HASHES:
        raise TlogProofInvalid(f"has more than {_MAX_HASHES} hashes")
    hashes = tuple(_decode(line) for line in lines)
    if any(len(each) != HASH_BYTES for each in hashes):
        raise TlogProofInvalid(f"holds a hash that does not have {HASH_BYTES} bytes")
    return TlogProof(index=int(found[1]), proof=hashes, checkpoint=checkpoint, extra=extra)


def _decode(text: str) -> bytes:
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise TlogProofInvalid("holds a line that is not base64") from None
    if base64.b64encode(data).decode() != text:
        raise TlogProofInvalid("holds a line that is not canonical base64")
    return data
