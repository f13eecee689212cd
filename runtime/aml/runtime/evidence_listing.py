"""What lies in an evidence store, for whoever tidies it up."""

from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import obstore
import obstore.exceptions
from obstore.store import LocalStore, ObjectStore

from aml.rules.orphans import StoredObject

from .evidence import EvidenceUnavailable
from .evidence_packs import drop_members, pack_members
from .evidence_paths import EVIDENCE, MEMBER, PACK, digest_of, is_tombstone, job_of


async def stored_objects(store: ObjectStore, *, below: str = EVIDENCE) -> AsyncIterator[StoredObject]:
    """Objects and data keys, not the tombstones. Raises `EvidenceUnavailable`."""
    try:
        async for batch in obstore.list(store, prefix=below, chunk_size=1000):
            for found in batch:
                path = found["path"]
                if (job_id := job_of(path)) is None or is_tombstone(path):
                    continue
                written_ms = int(found["last_modified"].timestamp() * 1000)
                for member, size in _members(store, path) or [(path, found["size"])]:
                    yield StoredObject(
                        path=member, job_id=job_id, digest=digest_of(member), size=size, written_ms=written_ms
                    )
    except (obstore.exceptions.BaseError, OSError) as error:
        raise EvidenceUnavailable(below, type(error).__name__) from None


async def remove_objects(store: ObjectStore, paths: list[str]) -> None:
    """One that is gone already is no error. Members of packs are taken out of them. Raises `EvidenceUnavailable`."""
    members = [path for path in paths if MEMBER in path]
    _drop(store, members)
    paths = [path for path in paths if MEMBER not in path]
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


def _members(store: ObjectStore, path: str) -> list[tuple[str, int]]:
    if not path.endswith(PACK) or not isinstance(store, LocalStore):
        return []
    with suppress(FileNotFoundError):
        members = pack_members(Path(str(store.prefix)) / path)
        return [(f"{path}{MEMBER}{each.digest.hex()}", each.length) for each in members]
    return []


def _drop(store: ObjectStore, paths: list[str]) -> None:
    by_pack: dict[str, set[bytes]] = {}
    for path in paths:
        pack, _, digest = path.partition(MEMBER)
        by_pack.setdefault(pack, set()).add(bytes.fromhex(digest))
    if not isinstance(store, LocalStore):
        return
    for pack, digests in by_pack.items():
        try:
            drop_members(Path(str(store.prefix)) / pack, frozenset(digests))
        except FileNotFoundError:
            continue
        except OSError as error:
            raise EvidenceUnavailable(pack, type(error).__name__) from None
