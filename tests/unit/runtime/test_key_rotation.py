"""After a rotation nothing needs the older version, and nothing that could be read before cannot be read now."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import obstore
import pytest
from obstore.store import LocalStore, MemoryStore

from aml.runtime.evidence import EvidenceStore
from aml.runtime.evidence_paths import key_path
from aml.runtime.evidence_shredding import destroy
from aml.runtime.key_encryption import KeyEncryptionKey
from aml.runtime.key_rotation import rotate
from aml.runtime.secret import Secret
from aml.runtime.vault import Vault

OLD, BOTH, NEW = (
    KeyEncryptionKey({1: bytes(32)}),
    KeyEncryptionKey({1: bytes(32), 2: bytes(range(32))}),
    KeyEncryptionKey({2: bytes(range(32))}),
)
EVENT = "0f6b3f0e-0000-5000-8000-000000000000"
JOBS = ("job-1", "job-2", "job-3")


@pytest.fixture(params=["memory", "folder"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    return MemoryStore() if request.param == "memory" else LocalStore(prefix=tmp_path)


async def fill(store: Any) -> tuple[dict[str, Any], str]:
    evidence = EvidenceStore(store, OLD)
    refs = {job: await evidence.put(job, EVENT, "text/plain", job.encode()) for job in JOBS}
    return refs, await Vault(store, OLD).seal(Secret("sk-123"))


async def test_everything_opens_under_the_new_version_alone(store: Any) -> None:
    refs, secret_id = await fill(store)

    rotated = await rotate(store, BOTH)

    assert (rotated.data_keys, rotated.secrets, rotated.unreadable) == (3, 1, ())
    evidence = EvidenceStore(store, NEW)
    assert [await evidence.open(job, EVENT, refs[job]) for job in JOBS] == [job.encode() for job in JOBS]
    assert (await Vault(store, NEW).open(secret_id)).reveal() == "sk-123"


async def test_a_second_rotation_finds_nothing_to_do(store: Any) -> None:
    await fill(store)
    await rotate(store, BOTH)
    again = await rotate(store, BOTH)
    assert (again.changed, again.already) == (0, 4)


async def test_an_interrupted_one_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch, store: Any) -> None:
    refs, _ = await fill(store)
    put: Callable[..., Awaitable[Any]] = obstore.put_async
    wrote: list[str] = []

    async def put_one(to: Any, path: str, *rest: Any, **options: Any) -> Any:
        if wrote:
            raise OSError(28, "No space left on device")
        wrote.append(path)
        return await put(to, path, *rest, **options)

    with monkeypatch.context() as patched:
        patched.setattr(obstore, "put_async", put_one)
        with pytest.raises(Exception, match="data-key"):
            await rotate(store, BOTH)

    assert (await rotate(store, BOTH)).data_keys == 2
    assert await EvidenceStore(store, NEW).open("job-1", EVENT, refs["job-1"]) == b"job-1"


async def test_what_no_version_opens_is_named_and_stops_nothing(store: Any) -> None:
    await fill(store)
    await obstore.put_async(store, key_path("job-2"), KeyEncryptionKey(b"x" * 32).wrap(bytes(32)))
    await obstore.put_async(store, "vault/lost", b"no seal of ours, whatever the key")
    rotated = await rotate(store, BOTH)
    assert (rotated.data_keys, rotated.unreadable) == (2, (key_path("job-2"), "vault/lost"))


async def test_a_job_destroyed_meanwhile_does_not_come_back(monkeypatch: pytest.MonkeyPatch, store: Any) -> None:
    await fill(store)
    get = obstore.get_async

    async def get_then_destroy(of: Any, path: str) -> Any:
        found = await get(of, path)
        if path == key_path("job-1"):
            data = await found.bytes_async()
            await destroy(store, "job-1")

            class Read:
                async def bytes_async(self) -> bytes:
                    return bytes(data)

            return Read()
        return found

    monkeypatch.setattr(obstore, "get_async", get_then_destroy)
    await rotate(store, BOTH)
    with pytest.raises(FileNotFoundError):
        await get(store, key_path("job-1"))
