"""The log's signed head: a C2SP tlog-checkpoint inside a C2SP signed note, so that other people's tools read it.

Sources: https://c2sp.org/tlog-checkpoint and https://c2sp.org/signed-note (Ed25519, signature type 0x01).
"""

import base64
import binascii
import hashlib
import re
from collections.abc import Callable, Sequence
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec import Struct

from .merkle import HASH_BYTES

_ED25519: Final = b"\x01"
_DASH: Final = "\u2014 "
_NAME: Final = re.compile(r"[^\s+]+")
_SIZE: Final = re.compile(r"0|[1-9][0-9]{0,18}")
MAX_NOTE_BYTES: Final = 1_000_000
MAX_SIGNATURES: Final = 100


class NoteInvalid(Exception):
    """A note, checkpoint or verifier key is malformed, or carries no valid signature of the key asked for."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


class Checkpoint(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    origin: str
    """The log's name: host and path without a scheme."""
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()


class VerifierKey(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: str
    public_key: bytes

    @property
    def key_id(self) -> bytes:
        return hashlib.sha256(self.name.encode() + b"\n" + _ED25519 + self.public_key).digest()[:4]

    def __str__(self) -> str:
        """`<name>+<hex key id>+<base64 of type and key>`, the form that is published."""
        return f"{self.name}+{self.key_id.hex()}+{base64.b64encode(_ED25519 + self.public_key).decode()}"


class NoteSignature(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: str
    key_id: bytes
    signature: bytes


class SignedNote(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    text: str
    """Everything that is signed, its last newline included."""
    signatures: tuple[NoteSignature, ...]


def checkpoint_text(checkpoint: Checkpoint) -> str:
    """The note's text. Raises `NoteInvalid` for a value that cannot stand in one."""
    lines = [
        checkpoint.origin,
        str(checkpoint.size),
        base64.b64encode(checkpoint.root).decode(),
        *checkpoint.extensions,
    ]
    text = "".join(f"{line}\n" for line in lines)
    parse_checkpoint(text)
    return text


def parse_checkpoint(text: str) -> Checkpoint:
    if not text.endswith("\n"):
        raise NoteInvalid("a checkpoint ends with a newline")
    lines = text[:-1].split("\n")
    if len(lines) < 3 or not all(lines):
        raise NoteInvalid("a checkpoint has an origin, a size and a root, and no empty line")
    origin, size, root, *extensions = lines
    if not _SIZE.fullmatch(size):
        raise NoteInvalid(f"{size[:30]!r} is not a tree size")
    root_hash = _base64(root, "root")
    if len(root_hash) != HASH_BYTES:
        raise NoteInvalid(f"a root has {HASH_BYTES} bytes, not {len(root_hash)}")
    return Checkpoint(origin=origin, size=int(size), root=root_hash, extensions=tuple(extensions))


def parse_verifier_key(text: str) -> VerifierKey:
    """Raises `NoteInvalid` for another key type, or a key id that does not belong to name and key."""
    name, plus, rest = text.strip().partition("+")
    key_id, second_plus, encoded = rest.partition("+")
    if not plus or not second_plus or not _NAME.fullmatch(name):
        raise NoteInvalid("a verifier key reads <name>+<key id>+<base64>")
    key = _base64(encoded, "verifier key")
    if key[:1] != _ED25519 or len(key) != 33:
        raise NoteInvalid("the verifier key is not an Ed25519 key")
    found = VerifierKey(name=name, public_key=key[1:])
    if found.key_id.hex() != key_id:
        raise NoteInvalid(f"the verifier key's id should be {found.key_id.hex()}, not {key_id[:20]}")
    return found


def sign_note(text: str, key: VerifierKey, sign: Callable[[bytes], bytes]) -> str:
    """The note with one signature line. `sign` is the private key's Ed25519 over the text's bytes."""
    signature = base64.b64encode(key.key_id + sign(text.encode())).decode()
    return f"{text}\n{_DASH}{key.name} {signature}\n"


def parse_note(note: str) -> SignedNote:
    if len(note.encode("utf-8", "surrogatepass")) > MAX_NOTE_BYTES:
        raise NoteInvalid(f"a note has at most {MAX_NOTE_BYTES} bytes")
    if any(char < " " and char != "\n" for char in note) or any("\ud800" <= char <= "\udfff" for char in note):
        raise NoteInvalid("the note holds control characters")
    text, blank, tail = note.rpartition("\n\n")
    if not blank or not tail.endswith("\n"):
        raise NoteInvalid("the note has no signatures")
    lines = tail[:-1].split("\n")
    if len(lines) > MAX_SIGNATURES:
        raise NoteInvalid(f"the note has more than {MAX_SIGNATURES} signatures")
    return SignedNote(text=text + "\n", signatures=tuple(_parse_signature(line) for line in lines))


def verify_note(note: str, keys: Sequence[VerifierKey]) -> str:
    """The note's text, when it carries a valid signature of at least one of `keys` and no invalid one of any of them.

    Signatures of unknown keys say nothing and are ignored, as the specification asks.
    """
    parsed = parse_note(note)
    valid = False
    for signature in parsed.signatures:
        for key in keys:
            if (key.name, key.key_id) == (signature.name, signature.key_id):
                _verify(key, signature.signature, parsed.text)
                valid = True
    if not valid:
        raise NoteInvalid("the note carries no signature of a known key")
    return parsed.text


def open_checkpoint(note: str, key: VerifierKey) -> Checkpoint:
    """The checkpoint in a note signed by the log `key`. Raises `NoteInvalid`, also when it names another log."""
    checkpoint = parse_checkpoint(verify_note(note, [key]))
    if checkpoint.origin != key.name:
        raise NoteInvalid(f"the checkpoint is of the log {checkpoint.origin}, not {key.name}")
    return checkpoint


def _parse_signature(line: str) -> NoteSignature:
    name, space, encoded = line.removeprefix(_DASH).partition(" ")
    if not line.startswith(_DASH) or not space or not _NAME.fullmatch(name):
        raise NoteInvalid("a signature line is malformed")
    data = _base64(encoded, "signature")
    if len(data) < 5:
        raise NoteInvalid("a signature is too short")
    return NoteSignature(name=name, key_id=data[:4], signature=data[4:])


def _verify(key: VerifierKey, signature: bytes, text: str) -> None:
    try:
        Ed25519PublicKey.from_public_bytes(key.public_key).verify(signature, text.encode())
    except (InvalidSignature, ValueError):
        raise NoteInvalid(f"the signature of {key.name} is wrong") from None


def _base64(text: str, what: str) -> bytes:
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise NoteInvalid(f"the {what} is not base64") from None
    if base64.b64encode(data).decode() != text:
        raise NoteInvalid(f"the {what} is not canonical base64")
    return data
