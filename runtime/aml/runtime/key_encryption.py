"""The key-encryption key (KEK): wraps the jobs' data keys, never touches content itself."""

from pathlib import Path

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.keywrap import InvalidUnwrap, aes_key_unwrap, aes_key_wrap

from .settings import SettingsError

KEY_BYTES = 32


class WrongKeyEncryptionKey(Exception):
    """A wrapped key was made under another key-encryption key than the one this process was given."""

    def __init__(self, job_id: str) -> None:
        super().__init__(f"the data key of job {job_id} was wrapped by another key-encryption key")
        self.job_id = job_id


class KeyEncryptionKey:
    """32 bytes that never leave this object; `derive` gives a key of its own for each purpose (HKDF-SHA-256, RFC 5869)."""

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise ValueError(f"a key-encryption key has {KEY_BYTES} bytes, not {len(key)}")
        self._key = key

    @classmethod
    def from_file(cls, path: Path) -> "KeyEncryptionKey":
        """Raises `SettingsError` when the file is missing or is not 64 hex digits."""
        try:
            return cls(bytes.fromhex(path.read_text("ascii").strip()))
        except (OSError, ValueError) as error:
            raise SettingsError("AML_EVIDENCE_KEK_FILE", f"({path}) is unusable: {error}") from None

    def __repr__(self) -> str:
        return "KeyEncryptionKey(…)"

    def derive(self, purpose: bytes) -> bytes:
        return HKDF(hashes.SHA256(), KEY_BYTES, salt=None, info=b"aml.kek.v1\x00" + purpose).derive(self._key)

    def wrap(self, data_key: bytes) -> bytes:
        return aes_key_wrap(self.derive(b"data-keys"), data_key)

    def unwrap(self, wrapped: bytes, *, job_id: str) -> bytes:
        """Raises `WrongKeyEncryptionKey`."""
        try:
            return aes_key_unwrap(self.derive(b"data-keys"), wrapped)
        except InvalidUnwrap:
            raise WrongKeyEncryptionKey(job_id) from None
