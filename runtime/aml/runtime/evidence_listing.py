"""What lies in an evidence store, for whoever tidies it up."""

from collections.abc import AsyncIterator

import obstore
import obstore.exceptions
from obstore.store import ObjectStore

from aml.rules.orphans import StoredObject

from .evidence import EvidenceUnavailable
from .evidence_paths import EVIDENCE, digest_of, is_tombstone, job_of


async def stored_objects(store: ObjectStore, *, below: str = EVIDENCE) -> AsyncIterator[StoredObject]:
    """Objects and data keys, not the tombstones. Raises `EvidenceUnavailable`."""
    try:
        async for batch in obstore.list(store, prefix=below, chunk_size=1000):
            for found in batch:
                path = found["path"]
                if (job_id := job_of(path)) is None or is_tombstone(path):
                    continue
                yield StoredObject(
                    path=path,
                    job_id=job_id,
                    digest=digest_of(path),
                    size=found["size"],
                    written_ms=int(found["last_modified"].timestamp() * 1000),
                )
    except (obstore.exceptions.BaseError, OSError) as error:
        raise EvidenceUnavailable(below, type(error).__name__) from None


async def remove_objects(store: ObjectStore, paths: list[str]) -> None:
    """One that is gone already is no error. Raises `EvidenceUnavailable`."""
    try:
        for start in range(0, len(paths), 1000):
            await obstore.delete_async(store, paths[start : start + 1000])
    except FileNotFoundError:
        for path in paths:
            await _remove(store, path)
    except (obstore.exceptions.BaseError, OSError) as error:
        raise EvidenceUnavailable(paths[0], type(error).__name__) from None


async def _remove(store: ObjectStore, path: str) -> None:
    try:
        await obstore.delete_async(store, path)
    except FileNotFoundError:
        return
    except (obstore.exceptions.BaseError, OSError) as error:
        raise EvidenceUnavailable(path, type(error).__name__) from None
