"""Participants' keys at rest: sealed under the key-encryption key, referred to by an opaque id.

The gateway seals; ingest and retrieval open, for as long as a job runs. Nothing else reads them.
"""

import secrets

import obstore
import obstore.exceptions
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from obstore.store import ObjectStore

from .evidence import EvidenceUnavailable
from .key_encryption import KeyEncryptionKey
from .secret import Secret

_IV_BYTES = 12


class SecretUnavailable(Exception):
    """The vault holds no readable secret under this id: it was replaced, or another key-encryption key is in use."""

    def __init__(self, secret_id: str) -> None:
        super().__init__(f"the memory system key {secret_id} cannot be opened; its owner must enter it again")
        self.secret_id = secret_id


class Vault:
    def __init__(self, store: ObjectStore, kek: KeyEncryptionKey) -> None:
        self._store = store
        self._kek = kek

    async def seal(self, secret: Secret) -> str:
        """Returns the new secret's id."""
        secret_id = secrets.token_hex(10)
        iv = secrets.token_bytes(_IV_BYTES)
        sealed = AESGCM(self._kek.derive(b"vault")).encrypt(iv, secret.reveal().encode(), _bound_to(secret_id))
        await obstore.put_async(self._store, _path(secret_id), iv + sealed)
        return secret_id

    async def open(self, secret_id: str) -> Secret:
        """Raises `SecretUnavailable`, or `EvidenceUnavailable` when the store cannot be read now."""
        try:
            result = await obstore.get_async(self._store, _path(secret_id))
            data = bytes(await result.bytes_async())
        except FileNotFoundError:
            raise SecretUnavailable(secret_id) from None
        except (obstore.exceptions.BaseError, OSError) as error:
            raise EvidenceUnavailable(_path(secret_id), type(error).__name__) from None
        try:
            plain = AESGCM(self._kek.derive(b"vault")).decrypt(data[:_IV_BYTES], data[_IV_BYTES:], _bound_to(secret_id))
        except (InvalidTag, ValueError):
            raise SecretUnavailable(secret_id) from None
        return Secret(plain.decode())


def _path(secret_id: str) -> str:
    return f"vault/{secret_id}"


def _bound_to(secret_id: str) -> bytes:
    return b"aml.vault.v1\x00" + secret_id.encode()
