"""Evidence: payloads, encrypted under their job's data key and addressed by a hiding commitment.

An object is `iv ‖ AES-256-GCM(frame)`, the frame holding nonce and payload (`evidence_frame`). Nonce and iv are pseudo-random
functions of the payload under the data key, so working on a unit twice writes the same object; the additional data binds
it to its job, event and media type. An object is written before the event that cites it is published. What can open it
vanishes with the job's key file; `evidence_shredding` removes that and the objects.
"""

import asyncio
import secrets
from collections import OrderedDict
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote, urlsplit

import msgspec
import obstore
import obstore.exceptions
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from obstore.store import LocalStore, ObjectStore, from_url

from aml.contracts.envelope import EvidenceRef
from aml.rules.commitment import commit, nonce_for

from .evidence_frame import FrameInvalid, frame, is_compressed, unframe
from .evidence_packs import EvidencePacks
from .evidence_paths import key_path, object_path, tombstone_path
from .key_encryption import KEY_BYTES, KeyEncryptionKey

T = TypeVar("T")

JSON = "application/json"
_IV_BYTES = 12
_KEYS_CACHED = 256
_ASIDE_BYTES = 1024 * 1024
"""A larger object is written in a thread: a millisecond of copying would hold up everybody else."""


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


class EvidenceDestroyed(EvidenceCorrupt):
    """The job's evidence was destroyed on purpose: it opens no more, and none is added."""

    def __init__(self, job_id: str, digest: str = "") -> None:
        super().__init__(job_id, digest)
        self.args = (f"the evidence of job {job_id} was destroyed",)


class EvidenceStore:
    """`put` and `open` for one store; data keys are made on a job's first `put` and cached."""

    def __init__(self, store: ObjectStore, kek: KeyEncryptionKey) -> None:
        self._store = store
        self._packs = EvidencePacks(Path(str(store.prefix))) if isinstance(store, LocalStore) and store.prefix else None
        self._kek = kek
        self._data_keys: OrderedDict[str, bytes] = OrderedDict()

    async def put(self, job_id: str, event_id: str, media_type: str, payload: bytes) -> EvidenceRef:
        """Raises `EvidenceUnavailable`, `EvidenceDestroyed`."""
        key = await self._data_key(job_id)
        nonce = nonce_for(key, event_id.encode(), payload)
        digest = commit(nonce, payload)
        framed = frame(nonce, payload)
        sealed = AESGCM(key).encrypt(iv := _iv(key, nonce, framed), framed, _bound_to(job_id, event_id, media_type))
        await self._keep(job_id, digest, iv + sealed)
        return EvidenceRef(digest=digest, size=len(payload), media_type=media_type)

    async def put_json(self, job_id: str, event_id: str, value: object) -> EvidenceRef:
        return await self.put(job_id, event_id, JSON, msgspec.json.encode(value))

    async def open(self, job_id: str, event_id: str, ref: EvidenceRef) -> bytes:
        """`event_id` is that of the event which the payload was written for.

        Raises `EvidenceCorrupt`, its kind `EvidenceDestroyed`, or `EvidenceUnavailable`.
        """
        return (await self.open_commitment(job_id, event_id, ref))[1]

    async def open_commitment(self, job_id: str, event_id: str, ref: EvidenceRef) -> tuple[bytes, bytes]:
        """Nonce and payload: what an auditor needs to recompute the digest. Raises as `open` does."""
        try:
            data = await self._found(job_id, ref.digest)
        except EvidenceUnavailable:
            if await self._is_shredded(job_id):
                raise EvidenceDestroyed(job_id, ref.digest) from None
            raise
        key = await self._known_data_key(job_id)
        if key is None:
            raise EvidenceDestroyed(job_id, ref.digest)
        try:
            plain = AESGCM(key).decrypt(data[:_IV_BYTES], data[_IV_BYTES:], _bound_to(job_id, event_id, ref.media_type))
            nonce, payload = unframe(plain)
        except (InvalidTag, ValueError, FrameInvalid):
            raise EvidenceCorrupt(job_id, ref.digest) from None
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
        path = key_path(job_id)
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
        path = key_path(job_id)
        fresh = secrets.token_bytes(KEY_BYTES)
        try:
            await obstore.put_async(self._store, path, self._kek.wrap(fresh), mode="create")
            if await self._is_shredded(job_id):
                await obstore.delete_async(self._store, path)
                raise EvidenceDestroyed(job_id)
            key = fresh
        except obstore.exceptions.AlreadyExistsError:
            key = self._kek.unwrap(await self._read(path), job_id=job_id)
        except (obstore.exceptions.BaseError, OSError) as error:
            raise EvidenceUnavailable(path, _first_line(error)) from None
        return self._remember(job_id, key)

    async def _is_shredded(self, job_id: str) -> bool:
        try:
            await obstore.head_async(self._store, tombstone_path(job_id))
        except FileNotFoundError:
            return False
        except (obstore.exceptions.BaseError, OSError) as error:
            raise EvidenceUnavailable(tombstone_path(job_id), _first_line(error)) from None
        return True

    def _remember(self, job_id: str, key: bytes) -> bytes:
        self._data_keys[job_id] = key
        if len(self._data_keys) > _KEYS_CACHED:
            self._data_keys.popitem(last=False)
        return key

    async def _keep(self, job_id: str, digest: str, sealed: bytes) -> None:
        if self._packs is None:
            await self._write(object_path(job_id, digest), sealed)
            return
        try:
            if len(sealed) < _ASIDE_BYTES:
                self._packs.append(job_id, digest, sealed)
            else:
                await asyncio.to_thread(self._packs.append, job_id, digest, sealed)
        except OSError as error:
            raise EvidenceUnavailable(object_path(job_id, digest), _first_line(error)) from None

    async def _found(self, job_id: str, digest: str) -> bytes:
        if self._packs is None:
            return await self._read(object_path(job_id, digest))
        try:
            found = self._packs.find(job_id, digest)
        except OSError as error:
            raise EvidenceUnavailable(object_path(job_id, digest), _first_line(error)) from None
        if found is None:
            raise EvidenceUnavailable(object_path(job_id, digest), "is in no pack of the job")
        return found

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
        return LocalStore(prefix=unquote(urlsplit(url).path), mkdir=True)
    return from_url(url)


def _iv(key: bytes, nonce: bytes, framed: bytes) -> bytes:
    """No two plaintexts may share one. Another version of the compressor makes other bytes of the same payload, so there the
    bytes themselves decide."""
    return nonce_for(key, b"iv", framed if is_compressed(framed) else nonce)[:_IV_BYTES]


def _bound_to(job_id: str, event_id: str, media_type: str) -> bytes:
    return "\x00".join(("aml.evidence.v2", job_id, event_id, media_type)).encode()


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:300]
