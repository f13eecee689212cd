"""Brings everything that is wrapped or sealed under an older version of the key-encryption key under the one in use.

Content is not touched: only data keys are wrapped anew and participants' keys sealed anew. What is done is recognised by
its version, so an interrupted rotation goes on where it was. Nothing here removes a version.
"""

from collections.abc import AsyncIterator

import obstore
import obstore.exceptions
from msgspec import Struct
from obstore.store import ObjectStore

from .evidence import EvidenceUnavailable
from .evidence_listing import remove_objects
from .evidence_paths import EVIDENCE, VAULT, job_of, key_path, tombstone_path
from .key_encryption import KeyEncryptionKey, WrongKeyEncryptionKey, version_of
from .vault import SecretUnavailable, Vault


class Rotated(Struct, frozen=True, kw_only=True):
    data_keys: int
    secrets: int
    already: int
    """Found under the version in use."""
    unreadable: tuple[str, ...]
    """Paths of what no version of the key opens: it is lost already, with or without the older versions."""

    @property
    def changed(self) -> int:
        return self.data_keys + self.secrets


async def rotate(store: ObjectStore, kek: KeyEncryptionKey) -> Rotated:
    """Raises `EvidenceUnavailable`; what was done before stays good."""
    data_keys = secrets = already = 0
    unreadable: list[str] = []
    async for job_id in _jobs(store):
        try:
            done = await _rewrap(store, kek, job_id)
        except WrongKeyEncryptionKey:
            unreadable.append(key_path(job_id))
            continue
        data_keys += done is True
        already += done is False
    vault = Vault(store, kek)
    async for secret_id in _secret_ids(store):
        try:
            done = await vault.reseal(secret_id)
        except SecretUnavailable:
            unreadable.append(f"{VAULT}{secret_id}")
            continue
        secrets += done
        already += not done
    return Rotated(data_keys=data_keys, secrets=secrets, already=already, unreadable=tuple(unreadable))


async def _rewrap(store: ObjectStore, kek: KeyEncryptionKey, job_id: str) -> bool | None:
    """None for a job without a key."""
    path = key_path(job_id)
    try:
        wrapped = bytes(await (await obstore.get_async(store, path)).bytes_async())
        if version_of(wrapped) == kek.versions[-1]:
            return False
        await obstore.put_async(store, path, kek.wrap(kek.unwrap(wrapped, job_id=job_id)))
        if await _exists(store, tombstone_path(job_id)):  # destroyed since it was read: it must not come back
            await remove_objects(store, [path])
    except FileNotFoundError:
        return None
    except (obstore.exceptions.BaseError, OSError) as error:
        raise EvidenceUnavailable(path, type(error).__name__) from None
    return True


async def _exists(store: ObjectStore, path: str) -> bool:
    try:
        await obstore.head_async(store, path)
    except FileNotFoundError:
        return False
    return True


async def _jobs(store: ObjectStore) -> AsyncIterator[str]:
    try:
        found = await obstore.list_with_delimiter_async(store, EVIDENCE)
    except (obstore.exceptions.BaseError, OSError) as error:
        raise EvidenceUnavailable(EVIDENCE, type(error).__name__) from None
    for folder in sorted(found["common_prefixes"]):
        if (job_id := job_of(f"{folder.rstrip('/')}/")) is not None:
            yield job_id


async def _secret_ids(store: ObjectStore) -> AsyncIterator[str]:
    try:
        async for batch in obstore.list(store, prefix=VAULT):
            for found in batch:
                yield found["path"].removeprefix(VAULT)
    except (obstore.exceptions.BaseError, OSError) as error:
        raise EvidenceUnavailable(VAULT, type(error).__name__) from None
