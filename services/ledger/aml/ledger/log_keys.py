"""The log's signing keys on disk: made, rotated, retired, and published.

`<key_file>` holds a signed-note private key a line, 0600. The first is the current one. During a rotation the one before it
stands below and signs, too, so that readers have time to learn the new key. Beside it, for everybody: `<key_file>.pub` is the
current verifier key, `<key_file>.keys` every verifier key that the log ever had, the newest first; old checkpoints need them.
"""

import base64
import binascii
from collections.abc import Sequence
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct

from aml.rules.checkpoint import NoteInvalid, VerifierKey, parse_verifier_key

from .durable_file import create_private_file, replace_private_file
from .errors import SignerKeyInvalid

_PREFIX = "PRIVATE+KEY"
_ED25519 = b"\x01"


class SigningKey(Struct, frozen=True, kw_only=True):
    private_key: Ed25519PrivateKey
    key: VerifierKey

    def __repr__(self) -> str:
        return f"SigningKey({self.key})"


def generate_keys(key_file: Path, origin: str) -> tuple[SigningKey, ...]:
    """The keys in `key_file`, which is made when absent; of two processes that make it the first one's key stays.

    Raises `SignerKeyInvalid`.
    """
    if not key_file.exists():
        key_file.parent.mkdir(parents=True, exist_ok=True)
        create_private_file(key_file, _key_line(_new_key(origin)))
    keys = read_keys(key_file, origin)
    publish_keys(key_file, keys)
    return keys


def read_keys(key_file: Path, origin: str) -> tuple[SigningKey, ...]:
    """The current key first. Raises `SignerKeyInvalid` for a key of another log, or a file that others may read."""
    try:
        lines = key_file.read_text("utf-8").split()
    except (OSError, UnicodeDecodeError) as error:
        raise SignerKeyInvalid(key_file, f"cannot be read: {type(error).__name__}") from None
    if key_file.stat().st_mode & 0o077:
        raise SignerKeyInvalid(key_file, "may be read by others; run chmod 600 on it")
    if not lines:
        raise SignerKeyInvalid(key_file, "is not a signed-note private key")
    return tuple(_read_key(key_file, line, origin) for line in lines)


def rotate_keys(key_file: Path, origin: str) -> tuple[SigningKey, ...]:
    """A new key above the current one; both sign from the next checkpoint on. Raises `SignerKeyInvalid`."""
    keys = read_keys(key_file, origin)
    if len(keys) > 1:
        raise SignerKeyInvalid(key_file, "is in a rotation already; finish that one first")
    return _replace_keys(key_file, (_new_key(origin), *keys))


def finish_rotation(key_file: Path, origin: str) -> tuple[SigningKey, ...]:
    """Destroys the older private key. Its verifier key stays published. Raises `SignerKeyInvalid`."""
    keys = read_keys(key_file, origin)
    if len(keys) == 1:
        raise SignerKeyInvalid(key_file, "is in no rotation")
    return _replace_keys(key_file, keys[:1])


def published_keys(key_file: Path) -> tuple[VerifierKey, ...]:
    """Every verifier key of the log, the newest first. Raises `SignerKeyInvalid` for a damaged list."""
    file = Path(f"{key_file}.keys")
    try:
        return tuple(parse_verifier_key(line) for line in file.read_text("utf-8").splitlines())
    except FileNotFoundError:
        return ()
    except (NoteInvalid, UnicodeDecodeError) as error:
        raise SignerKeyInvalid(file, f"is damaged: {error}") from None


def publish_keys(key_file: Path, keys: Sequence[SigningKey]) -> None:
    mine = [each.key for each in keys]
    every = [*mine, *(old for old in published_keys(key_file) if old not in mine)]
    _publish(Path(f"{key_file}.keys"), "".join(f"{each}\n" for each in every))
    _publish(Path(f"{key_file}.pub"), f"{mine[0]}\n")


def _publish(file: Path, text: str) -> None:
    if not file.exists() or file.read_text("utf-8", "replace") != text:
        replace_private_file(file, text, mode=0o644)


def _replace_keys(key_file: Path, keys: tuple[SigningKey, ...]) -> tuple[SigningKey, ...]:
    """The list of verifier keys is written first: a key never signs before it is published."""
    publish_keys(key_file, keys)
    replace_private_file(key_file, "".join(map(_key_line, keys)))
    return keys


def _new_key(origin: str) -> SigningKey:
    return _signing_key(Ed25519PrivateKey.generate(), origin)


def _signing_key(private_key: Ed25519PrivateKey, origin: str) -> SigningKey:
    public_key = private_key.public_key().public_bytes_raw()
    return SigningKey(private_key=private_key, key=VerifierKey(name=origin, public_key=public_key))


def _key_line(signing: SigningKey) -> str:
    seed = base64.b64encode(_ED25519 + signing.private_key.private_bytes_raw()).decode()
    return f"{_PREFIX}+{signing.key.name}+{signing.key.key_id.hex()}+{seed}\n"


def _read_key(key_file: Path, line: str, origin: str) -> SigningKey:
    name, _, rest = line.removeprefix(f"{_PREFIX}+").partition("+")
    key_id, _, encoded = rest.partition("+")
    if not line.startswith(f"{_PREFIX}+") or not encoded:
        raise SignerKeyInvalid(key_file, "is not a signed-note private key")
    if name != origin:
        raise SignerKeyInvalid(key_file, f"is the key of the log {name!r}, and this log is {origin!r}")
    try:
        data = base64.b64decode(encoded, validate=True)
        private_key = Ed25519PrivateKey.from_private_bytes(data[1:])
    except (binascii.Error, ValueError):
        raise SignerKeyInvalid(key_file, "holds no Ed25519 key") from None
    found = _signing_key(private_key, name)
    if data[:1] != _ED25519 or found.key.key_id.hex() != key_id:
        raise SignerKeyInvalid(key_file, "has a key id that does not belong to its key")
    return found
