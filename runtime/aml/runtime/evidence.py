"""Evidence: payloads, encrypted under their job's data key and addressed by a hiding commitment.

An object is `iv ‖ AES-256-GCM(nonce ‖ payload)`. Nonce and iv are pseudo-random functions of the payload under the data key,
so working on a unit twice writes the same object; the additional data binds it to its job, event and media type.
An object is written before the event that cites it is published. Key, nonce and payload vanish with the job's key file.
"""

import secrets
from collections import OrderedDict
from typing import TypeVar

import msgspec
import obstore
import obstore.exceptions
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from obstore.store import LocalStore, ObjectStore, from_url

from aml.contracts.envelope import EvidenceRef
from aml.rules.commitment import NONCE_BYTES, commit, nonce_for

from .key_encryption import KEY_BYTES, KeyEncryptionKey

T = TypeVar("T")

JSON = "application/json"
_IV_BYTES = 12
_KEYS_CACHED = 256


class EvidenceUnavailable(Exception):
    """The store cannot be read or written now: full, unreachable, or slow. The same call may succeed later."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"evidence {path}: {problem}")
        self.path = path
        self.problem = problem


class EvidenceCorrupt(Exception):
    """An object does not open to what its commitment says. Nothing may be decided from it."""

    def __init__(self, job_id: str, digest: str) -> None:
        super().__init__(f"evidence {digest} of job {job_id} does not match its commitment")
        self.job_id = job_id
        self.digest = digest


class EvidenceStore:
    """`put` and `open` for one store; data keys are made on a job's first `put` and cached."""

    def __init__(self, store: ObjectStore, kek: KeyEncryptionKey) -> None:
        self._store = store
        self._kek = kek
        self._data_keys: OrderedDict[str, bytes] = OrderedDict()

    async def put(self, job_id: str, event_id: str, media_type: str, payload: bytes) -> EvidenceRef:
        """Raises `EvidenceUnavailable`."""
        key = await self._data_key(job_id)
        nonce = nonce_for(key, event_id.encode(), payload)
        digest = commit(nonce, payload)
        iv = nonce_for(key, b"iv", nonce)[:_IV_BYTES]
        sealed = AESGCM(key).encrypt(iv, nonce + payload, _bound_to(job_id, event_id, media_type))
        await self._write(_object_path(job_id, digest), iv + sealed)
        return EvidenceRef(digest=digest, size=len(payload), media_type=media_type)

    async def put_json(self, job_id: str, event_id: str, value: object) -> EvidenceRef:
        return await self.put(job_id, event_id, JSON, msgspec.json.encode(value))

    async def open(self, job_id: str, event_id: str, ref: EvidenceRef) -> bytes:
        """`event_id` is that of the event which the payload was written for. Raises `EvidenceCorrupt`, `EvidenceUnavailable`."""
        return (await self.open_commitment(job_id, event_id, ref))[1]

    async def open_commitment(self, job_id: str, event_id: str, ref: EvidenceRef) -> tuple[bytes, bytes]:
        """Nonce and payload: what an auditor needs to recompute the digest. Raises as `open` does."""
        data = await self._read(_object_path(job_id, ref.digest))
        key = await self._known_data_key(job_id)
        if key is None:  # destroyed: nothing of this job opens any more
            raise EvidenceCorrupt(job_id, ref.digest)
        try:
            plain = AESGCM(key).decrypt(data[:_IV_BYTES], data[_IV_BYTES:], _bound_to(job_id, event_id, ref.media_type))
        except (InvalidTag, ValueError):
            raise EvidenceCorrupt(job_id, ref.digest) from None
        nonce, payload = plain[:NONCE_BYTES], plain[NONCE_BYTES:]
        if commit(nonce, payload) != ref.digest:
            raise EvidenceCorrupt(job_id, ref.digest)
        return nonce, payload

    async def open_json(self, job_id: str, event_id: str, ref: EvidenceRef, shape: type[T]) -> T:
        return msgspec.json.decode(await self.open(job_id, event_id, ref), type=shape)

    async def check_writable(self) -> str | None:
        """For readiness: None, or what is wrong."""
        try:
            await self._write("probe/writable", secrets.token_bytes(16))
        except EvidenceUnavailable as error:
            return error.problem
        return None

    async def _known_data_key(self, job_id: str) -> bytes | None:
        """None where there is none. Reading never makes a key: that of a job whose evidence was destroyed stays away."""
        if (known := self._data_keys.get(job_id)) is not None:
            return known
        path = _key_path(job_id)
        try:
            result = await obstore.get_async(self._store, path)
            wrapped = bytes(await result.bytes_async())
        except FileNotFoundError:
            return None
        except (obstore.exceptions.BaseError, OSError) as error:
            raise EvidenceUnavailable(path, _first_line(error)) from None
        return self._remember(job_id, self._kek.unwrap(wrapped, job_id=job_id))

    async def _data_key(self, job_id: str) -> bytes:
        if (known := self._data_keys.get(job_id)) is not None:
            self._data_keys.move_to_end(job_id)
            return known
        path = _key_path(job_id)
        fresh = secrets.token_bytes(KEY_BYTES)
        try:
            await obstore.put_async(self._store, path, self._kek.wrap(fresh), mode="create")
            key = fresh
        except obstore.exceptions.AlreadyExistsError:
            key = self._kek.unwrap(await self._read(path), job_id=job_id)
        except (obstore.exceptions.BaseError, OSError) as error:
            raise EvidenceUnavailable(path, _first_line(error)) from None
        return self._remember(job_id, key)

    def _remember(self, job_id: str, key: bytes) -> bytes:
        self._data_keys[job_id] = key
        if len(self._data_keys) > _KEYS_CACHED:
            self._data_keys.popitem(last=False)
        return key

    async def _write(self, path: str, data: bytes) -> None:
        try:
            await obstore.put_async(self._store, path, data)
        except (obstore.exceptions.BaseError, OSError) as error:
            raise EvidenceUnavailable(path, _first_line(error)) from None

    async def _read(self, path: str) -> bytes:
        try:
            result = await obstore.get_async(self._store, path)
            return bytes(await result.bytes_async())
        except (obstore.exceptions.BaseError, OSError) as error:
            raise EvidenceUnavailable(path, _first_line(error)) from None


def object_store(url: str) -> ObjectStore:
    """`file:///folder` (made when missing) or `s3://bucket/prefix`."""
    if url.startswith("file://"):
        return LocalStore(prefix=url.removeprefix("file://"), mkdir=True)
    return from_url(url)


def _key_path(job_id: str) -> str:
    return f"evidence/{job_id}/data-key"


def _object_path(job_id: str, digest: str) -> str:
    return f"evidence/{job_id}/{digest[:2]}/{digest}"


def _bound_to(job_id: str, event_id: str, media_type: str) -> bytes:
    return "\x00".join(("aml.evidence.v1", job_id, event_id, media_type)).encode()


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:300]
