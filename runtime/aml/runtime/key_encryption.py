"""The key-encryption key (KEK): wraps the jobs' data keys and seals small secrets, never touches content itself.

It has versions. The highest wraps and seals; every one that the file holds opens. A process that meets a version which it
does not know reads the file again, so a key can be rotated under running services.
"""

import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.keywrap import InvalidUnwrap, aes_key_unwrap, aes_key_wrap

from .settings import SettingsError

KEY_BYTES: Final = 32
_IV_BYTES: Final = 12
_VERSION_BYTES: Final = 4
_WRAPPED_BYTES: Final = KEY_BYTES + 8
"""RFC 3394 adds one block of 64 bits."""


class WrongKeyEncryptionKey(Exception):
    """A wrapped key was made under another key-encryption key than the one this process was given."""

    def __init__(self, job_id: str) -> None:
        super().__init__(f"the data key of job {job_id} was wrapped by another key-encryption key")
        self.job_id = job_id


class SealBroken(Exception):
    """No version of the key opens it: made under another one, or changed."""


class KeyEncryptionKey:
    """32 bytes a version that never leave this object; each purpose has a key of its own (HKDF-SHA-256, RFC 5869)."""

    def __init__(self, key: bytes | Mapping[int, bytes], *, file: Path | None = None) -> None:
        """A single key is version 1. `file` is looked at again when it changes."""
        self._keys = _checked({1: key} if isinstance(key, bytes) else key)
        self._file = file
        self._seen: tuple[int, ...] | None = None

    @classmethod
    def from_file(cls, path: Path) -> "KeyEncryptionKey":
        """Raises `SettingsError` when the file is missing or holds no keys."""
        return cls(read_key_file(path), file=path)

    def __repr__(self) -> str:
        return "KeyEncryptionKey(…)"

    @property
    def versions(self) -> tuple[int, ...]:
        """Ascending; the last one is in use."""
        self._refresh()
        return tuple(sorted(self._keys))

    def derive(self, purpose: bytes) -> bytes:
        return self._derived(self.versions[-1], purpose)

    def wrap(self, data_key: bytes) -> bytes:
        version = self.versions[-1]
        return version.to_bytes(_VERSION_BYTES, "big") + aes_key_wrap(self._derived(version, b"data-keys"), data_key)

    def unwrap(self, wrapped: bytes, *, job_id: str) -> bytes:
        """Raises `WrongKeyEncryptionKey`."""
        version = version_of(wrapped)
        if version not in self._keys:
            self._refresh()
        if version not in self._keys:
            raise WrongKeyEncryptionKey(job_id)
        try:
            return aes_key_unwrap(self._derived(version, b"data-keys"), wrapped[-_WRAPPED_BYTES:])
        except (InvalidUnwrap, ValueError):
            raise WrongKeyEncryptionKey(job_id) from None

    def seal(self, purpose: bytes, plain: bytes, bound_to: bytes) -> bytes:
        iv = secrets.token_bytes(_IV_BYTES)
        return iv + AESGCM(self.derive(purpose)).encrypt(iv, plain, bound_to)

    def open_sealed(self, purpose: bytes, sealed: bytes, bound_to: bytes) -> tuple[int, bytes]:
        """The version that it was sealed under, and what was sealed. Raises `SealBroken`."""
        for version in reversed(self.versions):
            try:
                sealer = AESGCM(self._derived(version, purpose))
                return version, sealer.decrypt(sealed[:_IV_BYTES], sealed[_IV_BYTES:], bound_to)
            except (InvalidTag, ValueError):
                continue
        raise SealBroken(purpose.decode())

    def _derived(self, version: int, purpose: bytes) -> bytes:
        return HKDF(hashes.SHA256(), KEY_BYTES, salt=None, info=b"aml.kek.v1\x00" + purpose).derive(self._keys[version])

    def _refresh(self) -> None:
        """One stat. An unreadable file changes nothing: what was read when the process started stays good."""
        if self._file is None or (seen := _stamp(self._file)) in (None, self._seen):
            return
        try:
            self._keys = read_key_file(self._file)
        except SettingsError:
            return
        self._seen = seen


def version_of(wrapped: bytes) -> int:
    """Data keys of the time before versions have none: they are version 1."""
    return 1 if len(wrapped) == _WRAPPED_BYTES else int.from_bytes(wrapped[:_VERSION_BYTES], "big")


def read_key_file(path: Path) -> dict[int, bytes]:
    """One line a version: its number and 64 hex digits. A line of 64 hex digits alone is version 1. Raises `SettingsError`."""
    try:
        lines = [line.strip().rpartition(" ") for line in path.read_text("ascii").splitlines() if line.strip()]
        keys = {int(version or "1"): bytes.fromhex(digits) for version, _, digits in lines}
        return _checked(keys, lines=len(lines))
    except (OSError, ValueError) as error:
        raise SettingsError("AML_EVIDENCE_KEK_FILE", f"({path}) is unusable: {error}") from None


def key_file_text(keys: Mapping[int, bytes]) -> str:
    return "".join(f"{version} {key.hex()}\n" for version, key in sorted(keys.items()))


def _checked(keys: Mapping[int, bytes], *, lines: int | None = None) -> dict[int, bytes]:
    if not keys:
        raise ValueError("it holds no key")
    if lines is not None and lines != len(keys):
        raise ValueError("a version stands there twice")
    for version, key in keys.items():
        if len(key) != KEY_BYTES:
            raise ValueError(f"a key-encryption key has {KEY_BYTES} bytes, not {len(key)}")
        if not 0 < version < 1 << 8 * _VERSION_BYTES:
            raise ValueError(f"{version} is no version")
    return dict(keys)


def _stamp(path: Path) -> tuple[int, ...] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino, found.st_size
