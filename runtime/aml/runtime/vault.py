"""Participants' keys at rest: sealed under the key-encryption key, referred to by an opaque id.

The gateway seals; ingest and retrieval open, for as long as a job runs. Nothing else reads them.
"""

import secrets

import obstore
import obstore.exceptions
from obstore.store import ObjectStore

from .evidence import EvidenceUnavailable
from .evidence_paths import VAULT
from .key_encryption import KeyEncryptionKey, SealBroken
from .secret import Secret

_PURPOSE = b"vault"


class SecretUnavailable(Exception):
    """The vault holds no readable secret under this id: it was replaced, or another key-encryption key is in use."""

    def __init__(self, secret_id: str) -> None:
        super().__init__(f"the memory system key {secret_id} cannot be opened; its owner must enter it again")
        self.secret_id = secret_id


class KeyDeposit:
    """The gateway's half: what is put in here can be destroyed and not be taken out."""

    def __init__(self, store: ObjectStore, kek: KeyEncryptionKey) -> None:
        self._store = store
        self._kek = kek

    async def seal(self, secret: Secret) -> str:
        """Returns the new secret's id."""
        secret_id = secrets.token_hex(10)
        await self._put(secret_id, secret.reveal().encode())
        return secret_id

    async def destroy(self, secret_id: str) -> None:
        """For good; no error where it is gone already. Raises `EvidenceUnavailable`."""
        try:
            await obstore.delete_async(self._store, _path(secret_id))
        except FileNotFoundError:
            return
        except (obstore.exceptions.BaseError, OSError) as error:
            raise EvidenceUnavailable(_path(secret_id), type(error).__name__) from None

    async def _put(self, secret_id: str, plain: bytes) -> None:
        await obstore.put_async(self._store, _path(secret_id), self._kek.seal(_PURPOSE, plain, _bound_to(secret_id)))


class Vault(KeyDeposit):
    """What ingest and retrieval hold, and the rotation of the key-encryption key."""

    async def open(self, secret_id: str) -> Secret:
        """Raises `SecretUnavailable`, or `EvidenceUnavailable` when the store cannot be read now."""
        return Secret((await self._read(secret_id))[1].decode())

    async def reseal(self, secret_id: str) -> bool:
        """Under the key's version in use; False when it is already. Raises as `open` does."""
        version, plain = await self._read(secret_id)
        if version == self._kek.versions[-1]:
            return False
        await self._put(secret_id, plain)
        return True

    async def _read(self, secret_id: str) -> tuple[int, bytes]:
        try:
            result = await obstore.get_async(self._store, _path(secret_id))
            data = bytes(await result.bytes_async())
        except FileNotFoundError:
            raise SecretUnavailable(secret_id) from None
        except (obstore.exceptions.BaseError, OSError) as error:
            raise EvidenceUnavailable(_path(secret_id), type(error).__name__) from None
        try:
            return self._kek.open_sealed(_PURPOSE, data, _bound_to(secret_id))
        except SealBroken:
            raise SecretUnavailable(secret_id) from None


def _path(secret_id: str) -> str:
    return f"{VAULT}{secret_id}"


def _bound_to(secret_id: str) -> bytes:
    return b"aml.vault.v1\x00" + secret_id.encode()
