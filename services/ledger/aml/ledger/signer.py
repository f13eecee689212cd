"""The log's key, and what it signed last. The signer believes nobody: not the sequencer, not the database.

Files, each 0600 and replaced as a whole: `<key_file>` is a signed-note private key, `<key_file>.pub` the verifier key,
`<key_file>.state` the last size, root and right edge of the tree that were signed. The state is durable before a signature
leaves, so that after any crash or restore two roots of one size, or a smaller size, cannot be signed.
"""

import base64
import binascii
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct

from aml.rules.checkpoint import Checkpoint, VerifierKey, checkpoint_text, sign_note
from aml.rules.merkle import Frontier

from .durable_file import create_private_file, replace_private_file
from .errors import LogForked, LogWentBack, SignerKeyInvalid

_PREFIX = "PRIVATE+KEY"
_ED25519 = b"\x01"


class SignedHead(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    origin: str
    size: int
    root: str
    frontier: str
    """Hex of `Frontier.to_bytes()`."""


class Signer:
    def __init__(self, private_key: Ed25519PrivateKey, key: VerifierKey, state_file: Path) -> None:
        self._private_key = private_key
        self._state_file = state_file
        self.key = key

    @classmethod
    def from_file(cls, key_file: Path, origin: str) -> "Signer":
        """Makes the key on first use. Raises `SignerKeyInvalid` for a key of another log, or one that others may read."""
        if not key_file.exists():
            key_file.parent.mkdir(parents=True, exist_ok=True)
            create_private_file(key_file, _new_key_text(origin))  # of two processes the first one's key stays
        if key_file.stat().st_mode & 0o077:
            raise SignerKeyInvalid(key_file, "may be read by others; run chmod 600 on it")
        private_key = _read_key(key_file, origin)
        key = VerifierKey(name=origin, public_key=private_key.public_key().public_bytes_raw())
        replace_private_file(Path(f"{key_file}.pub"), f"{key}\n", mode=0o644)
        return cls(private_key, key, Path(f"{key_file}.state"))

    def last_signed(self) -> Frontier:
        """Read from the file each time: two ledgers of one machine share it. The empty tree when nothing was signed."""
        try:
            data = self._state_file.read_bytes()
        except FileNotFoundError:
            return Frontier()
        try:
            state = msgspec.json.decode(data, type=SignedHead)
            frontier = Frontier.from_bytes(state.size, bytes.fromhex(state.frontier))
        except (msgspec.MsgspecError, ValueError) as error:
            raise SignerKeyInvalid(self._state_file, f"is damaged: {error}") from None
        if state.origin != self.key.name or frontier.root().hex() != state.root:
            raise SignerKeyInvalid(self._state_file, "does not belong to this log")
        return frontier

    def sign(self, grown: Frontier) -> str:
        """The checkpoint's note. `grown` is what the signer itself computed from `last_signed` and the rows it read.

        Raises `LogWentBack` or `LogForked` when that is no continuation of what was signed last.
        """
        last = self.last_signed()
        if grown.size < last.size:
            raise LogWentBack(last.size, grown.size)
        if grown.size == last.size and grown.root() != last.root():
            raise LogForked(grown.size, "another root of this size was signed before")
        if grown.size > last.size:
            state = SignedHead(
                origin=self.key.name, size=grown.size, root=grown.root().hex(), frontier=grown.to_bytes().hex()
            )
            replace_private_file(self._state_file, msgspec.json.encode(state).decode())
        text = checkpoint_text(Checkpoint(origin=self.key.name, size=grown.size, root=grown.root()))
        return sign_note(text, self.key, self._private_key.sign)


def _new_key_text(origin: str) -> str:
    private_key = Ed25519PrivateKey.generate()
    key = VerifierKey(name=origin, public_key=private_key.public_key().public_bytes_raw())
    seed = base64.b64encode(_ED25519 + private_key.private_bytes_raw()).decode()
    return f"{_PREFIX}+{origin}+{key.key_id.hex()}+{seed}\n"


def _read_key(key_file: Path, origin: str) -> Ed25519PrivateKey:
    text = key_file.read_text("utf-8").strip()
    name, _, rest = text.removeprefix(f"{_PREFIX}+").partition("+")
    key_id, _, encoded = rest.partition("+")
    if not text.startswith(f"{_PREFIX}+") or not encoded:
        raise SignerKeyInvalid(key_file, "is not a signed-note private key")
    if name != origin:
        raise SignerKeyInvalid(key_file, f"is the key of the log {name!r}, and this log is {origin!r}")
    try:
        data = base64.b64decode(encoded, validate=True)
        private_key = Ed25519PrivateKey.from_private_bytes(data[1:])
    except (binascii.Error, ValueError):
        raise SignerKeyInvalid(key_file, "holds no Ed25519 key") from None
    found = VerifierKey(name=name, public_key=private_key.public_key().public_bytes_raw())
    if data[:1] != _ED25519 or found.key_id.hex() != key_id:
        raise SignerKeyInvalid(key_file, "has a key id that does not belong to its key")
    return private_key
