"""Evidence opens only as what was put, only with its key, and only where it belongs."""

import asyncio
import os
import secrets
from pathlib import Path

import msgspec
import obstore
import pytest
from obstore.store import LocalStore, MemoryStore

from aml.contracts.envelope import EvidenceRef
from aml.rules.commitment import commit
from aml.runtime.evidence import JSON, EvidenceCorrupt, EvidenceStore, EvidenceUnavailable, object_store
from aml.runtime.key_encryption import KeyEncryptionKey, WrongKeyEncryptionKey

KEK = KeyEncryptionKey(bytes(range(32)))
JOB, EVENT = "job-1", "0f6b3f0e-0000-5000-8000-000000000000"
PAYLOAD = b"She moved to Lisbon in May."
HEADER = 36
"""Bytes of a record before the sealed object: its digest and its length."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "evidence-store"


@pytest.fixture
def store(folder: Path) -> EvidenceStore:
    return EvidenceStore(object_store(folder.as_uri()), KEK)


def objects(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "data-key")


@pytest.mark.parametrize("payload", [b"", b"\x00", PAYLOAD, b"x" * 3_000_000], ids=["empty", "nul", "text", "3 MB"])
async def test_what_is_put_opens_again(store: EvidenceStore, payload: bytes) -> None:
    ref = await store.put(JOB, EVENT, "text/plain", payload)
    assert (ref.size, ref.media_type) == (len(payload), "text/plain")
    assert await store.open(JOB, EVENT, ref) == payload


async def test_a_value_opens_as_its_shape(store: EvidenceStore) -> None:
    given = EvidenceRef(digest="a" * 64, size=1, media_type="x")
    ref = await store.put_json(JOB, EVENT, given)
    assert ref.media_type == JSON
    assert await store.open_json(JOB, EVENT, ref, EvidenceRef) == given


async def test_nothing_on_disk_shows_the_payload(store: EvidenceStore, folder: Path) -> None:
    ref = await store.put(JOB, EVENT, "text/plain", PAYLOAD)
    written = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    assert written
    assert b"Lisbon" not in written
    assert "Lisbon" not in str(ref)


async def test_putting_twice_writes_the_same_object(store: EvidenceStore, folder: Path) -> None:
    first = await store.put(JOB, EVENT, "text/plain", PAYLOAD)
    (path,) = objects(folder)
    before = path.read_bytes()
    assert await store.put(JOB, EVENT, "text/plain", PAYLOAD) == first
    assert path.read_bytes() == before * 2, "the same record, byte for byte"


async def test_a_second_process_uses_the_jobs_key(store: EvidenceStore, folder: Path) -> None:
    other = EvidenceStore(object_store(folder.as_uri()), KEK)
    ref = await store.put(JOB, EVENT, "text/plain", PAYLOAD)
    assert await other.open(JOB, EVENT, ref) == PAYLOAD
    assert await other.put(JOB, EVENT, "text/plain", PAYLOAD) == ref


async def test_two_processes_that_begin_at_once_agree_on_one_key() -> None:
    shared = MemoryStore()
    stores = [EvidenceStore(shared, KEK) for _ in range(8)]
    refs = await asyncio.gather(*(store.put(JOB, EVENT, "text/plain", PAYLOAD) for store in stores))
    assert len({ref.digest for ref in refs}) == 1


async def test_equal_payloads_of_two_jobs_or_events_are_unlinkable(store: EvidenceStore) -> None:
    refs = [
        await store.put(JOB, EVENT, "text/plain", b"yes"),
        await store.put("job-2", EVENT, "text/plain", b"yes"),
        await store.put(JOB, EVENT.replace("0f", "1f"), "text/plain", b"yes"),
    ]
    assert len({ref.digest for ref in refs}) == 3


@pytest.mark.parametrize(
    ("event_id", "media_type"), [(EVENT.replace("0f", "1f"), "text/plain"), (EVENT, "application/json")]
)
async def test_it_opens_only_for_its_event_and_media_type(store: EvidenceStore, event_id: str, media_type: str) -> None:
    ref = await store.put(JOB, EVENT, "text/plain", PAYLOAD)
    with pytest.raises(EvidenceCorrupt, match=ref.digest):
        await store.open(JOB, event_id, msgspec.structs.replace(ref, media_type=media_type))


async def test_an_object_moved_to_another_job_does_not_open(store: EvidenceStore, folder: Path) -> None:
    ref = await store.put(JOB, EVENT, "text/plain", PAYLOAD)
    (source,) = objects(folder)
    target = Path(str(source).replace(JOB, "job-2"))
    target.parent.mkdir(parents=True)
    target.write_bytes(source.read_bytes())
    with pytest.raises(EvidenceCorrupt):
        await store.open("job-2", EVENT, ref)


async def test_an_object_renamed_to_another_commitment_does_not_open(store: EvidenceStore, folder: Path) -> None:
    await store.put(JOB, EVENT, "text/plain", PAYLOAD)
    (source,) = objects(folder)
    claimed = "0" * 64
    source.write_bytes(bytes.fromhex(claimed) + source.read_bytes()[32:])
    with pytest.raises(EvidenceCorrupt):
        await store.open(JOB, EVENT, EvidenceRef(digest=claimed, size=len(PAYLOAD), media_type="text/plain"))


@pytest.mark.parametrize("place", [0, 12, 40, -1])
async def test_one_changed_byte_is_noticed(store: EvidenceStore, folder: Path, place: int) -> None:
    ref = await store.put(JOB, EVENT, "text/plain", PAYLOAD)
    (path,) = objects(folder)
    data = bytearray(path.read_bytes())
    data[HEADER + place if place >= 0 else place] ^= 1
    path.write_bytes(data)
    with pytest.raises(EvidenceCorrupt):
        await store.open(JOB, EVENT, ref)


@pytest.mark.parametrize("length", [0, 5, 30])
async def test_a_truncated_object_is_noticed(store: EvidenceStore, folder: Path, length: int) -> None:
    ref = await store.put(JOB, EVENT, "text/plain", PAYLOAD)
    (path,) = objects(folder)
    record = path.read_bytes()
    path.write_bytes(record[:32] + length.to_bytes(4, "big") + record[HEADER : HEADER + length])
    with pytest.raises(EvidenceCorrupt):
        await store.open(JOB, EVENT, ref)


async def test_a_record_that_was_never_finished_is_not_there(store: EvidenceStore, folder: Path) -> None:
    whole = await store.put(JOB, EVENT, "text/plain", PAYLOAD)
    cut = await store.put(JOB, EVENT.replace("0f", "1f"), "text/plain", PAYLOAD)
    (path,) = objects(folder)
    path.write_bytes(path.read_bytes()[:-1])
    assert await store.open(JOB, EVENT, whole) == PAYLOAD
    with pytest.raises(EvidenceUnavailable, match="in no pack"):
        await store.open(JOB, EVENT.replace("0f", "1f"), cut)


async def test_an_opening_gives_what_an_auditor_needs(store: EvidenceStore) -> None:
    ref = await store.put(JOB, EVENT, "text/plain", PAYLOAD)
    nonce, payload = await store.open_commitment(JOB, EVENT, ref)
    assert payload == PAYLOAD
    assert commit(nonce, payload) == ref.digest


async def test_reading_never_makes_a_key_for_a_job_that_has_none(store: EvidenceStore, folder: Path) -> None:
    ref = await store.put(JOB, EVENT, "text/plain", PAYLOAD)
    key = folder / "evidence" / JOB / "data-key"
    key.unlink()
    with pytest.raises(EvidenceCorrupt):
        await EvidenceStore(object_store(folder.as_uri()), KEK).open_commitment(JOB, EVENT, ref)
    assert not key.exists()


async def test_a_missing_object_is_unavailable_not_empty(store: EvidenceStore) -> None:
    with pytest.raises(EvidenceUnavailable):
        await store.open(JOB, EVENT, EvidenceRef(digest="0" * 64, size=1, media_type="text/plain"))


async def test_another_key_encryption_key_is_said_to_be_one(store: EvidenceStore, folder: Path) -> None:
    ref = await store.put(JOB, EVENT, "text/plain", PAYLOAD)
    stranger = EvidenceStore(object_store(folder.as_uri()), KeyEncryptionKey(bytes(32)))
    with pytest.raises(WrongKeyEncryptionKey, match=JOB):
        await stranger.open(JOB, EVENT, ref)


async def test_a_shredded_jobs_evidence_is_gone_for_a_fresh_process(store: EvidenceStore, folder: Path) -> None:
    ref = await store.put(JOB, EVENT, "text/plain", PAYLOAD)
    (folder / "evidence" / JOB / "data-key").unlink()
    with pytest.raises(EvidenceCorrupt):
        await EvidenceStore(object_store(folder.as_uri()), KEK).open(JOB, EVENT, ref)


@pytest.mark.parametrize(
    "error",
    [
        OSError(28, "No space left on device"),
        PermissionError(13, "Permission denied"),
        obstore.exceptions.GenericError("timed out\nDebug source: …"),
    ],
)
async def test_a_bucket_that_fails_is_unavailable_with_its_reason(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    store = EvidenceStore(MemoryStore(), KEK)
    await store.put(JOB, EVENT, "text/plain", b"the data key is known from here on")

    async def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(obstore, "put_async", fail)
    with pytest.raises(EvidenceUnavailable) as caught:
        await store.put(JOB, EVENT, "text/plain", PAYLOAD)
    assert "\n" not in caught.value.problem
    with pytest.raises(EvidenceUnavailable):
        await store.put("job-2", EVENT, "text/plain", PAYLOAD)
    assert await store.check_writable() == caught.value.problem


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), PermissionError(13, "Permission denied")])
async def test_a_folder_that_fails_is_unavailable_with_its_reason(
    monkeypatch: pytest.MonkeyPatch, store: EvidenceStore, error: OSError
) -> None:
    await store.put(JOB, EVENT, "text/plain", b"the data key is known from here on")

    def fail(*_: object) -> int:
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", fail)
        with pytest.raises(EvidenceUnavailable, match=str(error.strerror)):
            await store.put(JOB, EVENT, "text/plain", PAYLOAD)
    ref = await store.put(JOB, EVENT, "text/plain", PAYLOAD)
    assert await store.open(JOB, EVENT, ref) == PAYLOAD, "nothing of the failed write is in the way"


async def test_a_large_object_is_written_too(store: EvidenceStore) -> None:
    payload = secrets.token_bytes(3 * 1024 * 1024)
    ref = await store.put(JOB, EVENT, "text/plain", payload)
    assert await store.open(JOB, EVENT, ref) == payload


async def test_a_folder_that_cannot_be_made_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "evidence").write_text("a file stands where the folder should be")
    store = EvidenceStore(LocalStore(prefix=tmp_path), KEK)
    with pytest.raises(EvidenceUnavailable):
        await store.put(JOB, EVENT, "text/plain", PAYLOAD)


async def test_a_writable_store_says_nothing(store: EvidenceStore) -> None:
    assert await store.check_writable() is None


LONG = b" ".join(b"In year %d she moved to house %d." % (number, number**3 % 9_973) for number in range(4_000))


async def test_a_long_payload_is_stored_compressed_and_commits_to_itself(store: EvidenceStore, folder: Path) -> None:
    ref = await store.put(JOB, EVENT, "text/plain", LONG)
    nonce, payload = await store.open_commitment(JOB, EVENT, ref)
    assert (ref.size, payload, commit(nonce, LONG)) == (len(LONG), LONG, ref.digest)
    assert sum(path.stat().st_size for path in objects(folder)) < len(LONG) // 2


async def test_another_compressor_makes_another_iv(
    monkeypatch: pytest.MonkeyPatch, store: EvidenceStore, folder: Path
) -> None:
    """Two plaintexts under one key and one iv would give both away, and the authentication key with them."""
    await store.put(JOB, EVENT, "text/plain", LONG)
    (path,) = objects(folder)
    before = path.read_bytes()[HEADER:]
    monkeypatch.setattr("aml.runtime.evidence_frame._LEVEL", 12)
    ref = await store.put(JOB, EVENT, "text/plain", LONG)
    after = path.read_bytes()[HEADER + len(before) + HEADER :]
    assert before[12:] != after[12:]
    assert before[:12] != after[:12]
    assert await store.open(JOB, EVENT, ref) == LONG
