"""A witness's statement about a checkpoint: https://c2sp.org/tlog-cosignature, the Ed25519 form (`cosignature/v1`).

It says that the witness saw the log grow, without a fork, to this size and root, at this time.
"""

import base64
import hashlib
from collections.abc import Callable
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec import Struct

from .checkpoint import NoteInvalid, NoteSignature

COSIGNATURE_TYPE: Final = b"\x04"
_TIME_BYTES: Final = 8
_SIGNATURE_BYTES: Final = 64
_MAX_TIME: Final = 2**63 - 1


class CosignatureInvalid(Exception):
    """A signature line under a witness's name and key id is not that witness's statement."""

    def __init__(self, witness: str, problem: str) -> None:
        super().__init__(f"the cosignature of {witness} {problem}")
        self.witness = witness
        self.problem = problem


class WitnessKey(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: str
    public_key: bytes

    @property
    def key_id(self) -> bytes:
        return hashlib.sha256(self.name.encode() + b"\n" + COSIGNATURE_TYPE + self.public_key).digest()[:4]

    def __str__(self) -> str:
        """`<name>+<hex key id>+<base64 of type and key>`."""
        return f"{self.name}+{self.key_id.hex()}+{base64.b64encode(COSIGNATURE_TYPE + self.public_key).decode()}"


def parse_witness_key(text: str) -> WitnessKey:
    """Raises `NoteInvalid` for another key type, or a key id that does not belong to name and key."""
    name, plus, rest = text.strip().partition("+")
    key_id, second_plus, encoded = rest.partition("+")
    if not plus or not second_plus or not name or any(char.isspace() for char in name):
        raise NoteInvalid("a witness's key reads <name>+<key id>+<base64>")
    try:
        data = base64.b64decode(encoded, validate=True)
    except ValueError:
        raise NoteInvalid("the witness's key is not base64") from None
    if data[:1] != COSIGNATURE_TYPE or len(data) != 33:
        raise NoteInvalid("the witness's key is not an Ed25519 cosignature key (type 0x04)")
    found = WitnessKey(name=name, public_key=data[1:])
    if found.key_id.hex() != key_id:
        raise NoteInvalid(f"the witness's key id should be {found.key_id.hex()}, not {key_id[:20]}")
    return found


def cosign(text: str, key: WitnessKey, sign: Callable[[bytes], bytes], *, time_s: int) -> str:
    """The signature line, without its newline. `text` is the checkpoint's text; `time_s` are POSIX seconds."""
    data = key.key_id + time_s.to_bytes(_TIME_BYTES, "big") + sign(_message(text, time_s))
    return f"\u2014 {key.name} {base64.b64encode(data).decode()}"


def is_of(signature: NoteSignature, key: WitnessKey) -> bool:
    """Whether the line claims to be the witness's. Whether it is, `cosigned_at` says."""
    return (signature.name, signature.key_id) == (key.name, key.key_id)


def cosigned_at(text: str, signature: NoteSignature, key: WitnessKey) -> int:
    """When the witness cosigned, in POSIX seconds. Raises `CosignatureInvalid`."""
    data = signature.signature
    time_s = int.from_bytes(data[:_TIME_BYTES], "big")
    if len(data) != _TIME_BYTES + _SIGNATURE_BYTES or time_s > _MAX_TIME:
        raise CosignatureInvalid(key.name, "is malformed")
    try:
        public_key = Ed25519PublicKey.from_public_bytes(key.public_key)
        public_key.verify(data[_TIME_BYTES:], _message(text, time_s))
    except (InvalidSignature, ValueError):
        raise CosignatureInvalid(key.name, "is wrong") from None
    return time_s


def _message(text: str, time_s: int) -> bytes:
    return f"cosignature/v1\ntime {time_s}\n{text}".encode()
