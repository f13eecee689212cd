"""What is destroyed stays destroyed, and only that."""

from pathlib import Path

import obstore
import pytest
from obstore.store import ObjectStore

from aml.runtime.evidence import EvidenceDestroyed, EvidenceStore, object_store
from aml.runtime.evidence_listing import stored_objects
from aml.runtime.evidence_paths import key_path, tombstone_path
from aml.runtime.evidence_shredding import destroy
from aml.runtime.key_encryption import KeyEncryptionKey

KEK = KeyEncryptionKey(bytes(range(32)))
JOB, OTHER, EVENT = "job-1", "job-12", "0f6b3f0e-0000-5000-8000-000000000000"


@pytest.fixture
def store(tmp_path: Path) -> ObjectStore:
    return object_store(tmp_path.as_uri())


async def paths(store: ObjectStore) -> list[str]:
    return sorted([each.path async for each in stored_objects(store)])


async def test_key_nonce_and_ciphertext_are_gone_and_other_jobs_untouched(store: ObjectStore, tmp_path: Path) -> None:
    evidence = EvidenceStore(store, KEK)
    refs = [await evidence.put(JOB, EVENT, "text/plain", text) for text in (b"one", b"two")]
    kept = await evidence.put(OTHER, EVENT, "text/plain", b"three")

    assert await destroy(store, JOB) == 2

    left = [path for path in (tmp_path / "evidence" / JOB).rglob("*") if path.is_file()]
    assert [path.name for path in left] == ["shredded"]
    for reader in (evidence, EvidenceStore(store, KEK)):
        for ref in refs:
            with pytest.raises(EvidenceDestroyed, match=JOB):
                await reader.open(JOB, EVENT, ref)
        assert await reader.open(OTHER, EVENT, kept) == b"three"


async def test_it_can_be_called_again(store: ObjectStore) -> None:
    await EvidenceStore(store, KEK).put(JOB, EVENT, "text/plain", b"one")
    assert [await destroy(store, JOB), await destroy(store, JOB)] == [1, 0]
    assert await destroy(store, "job-without-evidence") == 0


async def test_an_interrupted_one_is_finished_by_the_next(store: ObjectStore) -> None:
    await EvidenceStore(store, KEK).put(JOB, EVENT, "text/plain", b"one")
    await obstore.put_async(store, tombstone_path(JOB), b"destroyed\n")
    await obstore.delete_async(store, key_path(JOB))

    assert await destroy(store, JOB) == 1
    assert await paths(store) == []


async def test_nobody_gives_the_job_a_key_again(store: ObjectStore) -> None:
    await destroy(store, JOB)
    with pytest.raises(EvidenceDestroyed):
        await EvidenceStore(store, KEK).put(JOB, EVENT, "text/plain", b"late")
    assert await paths(store) == []
