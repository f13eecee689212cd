"""The witness's own key on disk: a signed-note private key of the cosignature type, readable by its owner alone."""

import base64
import binascii
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct

from aml.ledger.durable_file import create_private_file
from aml.rules.cosignature import COSIGNATURE_TYPE, WitnessKey, cosign

from .errors import WitnessUnusable

_PREFIX = "PRIVATE+KEY"


class Cosigner(Struct, frozen=True, kw_only=True):
    private_key: Ed25519PrivateKey
    key: WitnessKey

    def __repr__(self) -> str:
        return f"Cosigner({self.key})"

    def cosign(self, text: str, *, time_s: int) -> str:
        """The signature line over a checkpoint's text, without its newline."""
        return cosign(text, self.key, self.private_key.sign, time_s=time_s)


def make_cosigner(key_file: Path, name: str) -> Cosigner:
    """A new key in `key_file`. Raises `WitnessUnusable` when there is one, or the name cannot stand in a signature line."""
    if not name or "+" in name or any(char.isspace() for char in name):
        raise WitnessUnusable(f"{name!r} cannot be a witness's name: it has no space and no +, as witness.example.org")
    if key_file.exists():
        raise WitnessUnusable(f"{key_file} exists; a witness keeps its key")
    key_file.parent.mkdir(parents=True, exist_ok=True)
    made = _cosigner(Ed25519PrivateKey.generate(), name)
    seed = base64.b64encode(COSIGNATURE_TYPE + made.private_key.private_bytes_raw()).decode()
    create_private_file(key_file, f"{_PREFIX}+{name}+{made.key.key_id.hex()}+{seed}\n")
    return read_cosigner(key_file)


def read_cosigner(key_file: Path) -> Cosigner:
    """Raises `WitnessUnusable`."""
    try:
        text = key_file.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise WitnessUnusable(f"{key_file} cannot be read: {type(error).__name__}") from None
    if key_file.stat().st_mode & 0o077:
        raise WitnessUnusable(f"{key_file} may be read by others; run chmod 600 on it")
    name, _, rest = text.removeprefix(f"{_PREFIX}+").partition("+")
    key_id, _, encoded = rest.partition("+")
    try:
        data = base64.b64decode(encoded, validate=True)
        found = _cosigner(Ed25519PrivateKey.from_private_bytes(data[1:]), name)
    except (binascii.Error, ValueError):
        raise WitnessUnusable(f"{key_file} holds no witness key") from None
    if not text.startswith(f"{_PREFIX}+") or data[:1] != COSIGNATURE_TYPE or found.key.key_id.hex() != key_id:
        raise WitnessUnusable(f"{key_file} holds no witness key")
    return found


def _cosigner(private_key: Ed25519PrivateKey, name: str) -> Cosigner:
    public_key = private_key.public_key().public_bytes_raw()
    return Cosigner(private_key=private_key, key=WitnessKey(name=name, public_key=public_key))
