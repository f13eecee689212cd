"""Against a real folder; the log is a fold that each test states."""

import os
from pathlib import Path

import pytest
from tests.factories.events import an_event

from aml.contracts.envelope import EvidenceRef
from aml.contracts.seals import JobSealed
from aml.contracts.shredding import EvidenceShredded
from aml.contracts.units import SearchReturned
from aml.rules.evidence_use import EvidenceUse
from aml.rules.retention import DAY_MS
from aml.runtime.evidence import EvidenceStore
from aml.runtime.key_encryption import KeyEncryptionKey, WrongKeyEncryptionKey
from aml.runtime.settings import EvidenceSettings
from aml.toolkit.evidence.errors import JobNotOver, JobUnknown, LogTooShort, NothingToRetire
from aml.toolkit.evidence.place import EvidencePlace
from aml.toolkit.evidence.tend import enforce_retention, rotate_key, shred_job, sweep

EVENT = "0f6b3f0e-0000-5000-8000-000000000000"
OLD_SECONDS = 100 * 3600


class Clock:
    def __init__(self, now_ms: int) -> None:
        self.now = now_ms

    def now_ms(self) -> int:
        return self.now


@pytest.fixture
def place(tmp_path: Path) -> EvidencePlace:
    (tmp_path / "kek").write_text("11" * 32)
    return EvidencePlace(evidence=EvidenceSettings(url=(tmp_path / "store").as_uri(), kek_file=tmp_path / "kek"))


async def put(place: EvidencePlace, job_id: str, text: bytes) -> EvidenceRef:
    store = EvidenceStore(place.store, KeyEncryptionKey.from_file(place.evidence.kek_file))
    return await store.put(job_id, EVENT, "text/plain", text)


async def opened(place: EvidencePlace, job_id: str, ref: EvidenceRef) -> bytes:
    store = EvidenceStore(place.store, KeyEncryptionKey.from_file(place.evidence.kek_file))
    return await store.open(job_id, EVENT, ref)


def a_use(*events: object) -> EvidenceUse:
    use = EvidenceUse()
    for event in events:
        use.take(event)  # type: ignore[arg-type]
    return use


def age(tmp_path: Path, clock: Clock) -> None:
    for path in (tmp_path / "store").rglob("*"):
        if path.is_file():
            then = clock.now / 1000 - OLD_SECONDS
            os.utime(path, (then, then))


async def test_a_key_is_rotated_and_the_old_one_retired(place: EvidencePlace) -> None:
    ref = await put(place, "job-1", b"one")
    old = EvidenceStore(place.store, KeyEncryptionKey(bytes.fromhex("11" * 32)))

    first = await rotate_key(place, finish=False)
    late = await EvidenceStore(place.store, KeyEncryptionKey(bytes.fromhex("11" * 32))).put(
        "job-2", EVENT, "text/plain", b"two"
    )  # a process that has not heard of it
    last = await rotate_key(place, finish=True)

    assert (first.version, first.begun, first.rotated.data_keys, first.retired) == (2, True, 1, ())
    assert (last.version, last.rotated.data_keys, last.retired) == (2, 1, (1,))
    assert await opened(place, "job-1", ref) == b"one"
    assert await opened(place, "job-2", late) == b"two"
    with pytest.raises(WrongKeyEncryptionKey):
        await old.open("job-1", EVENT, ref)
    with pytest.raises(NothingToRetire):
        await rotate_key(place, finish=True)


async def test_a_second_call_goes_on_with_the_same_rotation(place: EvidencePlace) -> None:
    await put(place, "job-1", b"one")
    await rotate_key(place, finish=False)
    again = await rotate_key(place, finish=False)
    assert (again.version, again.begun, again.rotated.changed) == (2, False, 0)


async def test_only_a_job_that_is_over_is_destroyed(place: EvidencePlace) -> None:
    with pytest.raises(JobUnknown):
        await shred_job(place, a_use(), "job-1", Clock(0))
    with pytest.raises(JobNotOver):
        await shred_job(place, a_use(an_event(SearchReturned, job_id="job-1")), "job-1", Clock(0))


async def test_a_dry_run_names_what_is_due_and_destroys_nothing(place: EvidencePlace) -> None:
    ref = await put(place, "old", b"one")
    use = a_use(
        an_event(JobSealed, job_id="old", at=0),
        an_event(JobSealed, job_id="gone", at=0),
        an_event(EvidenceShredded, job_id="gone"),
        an_event(JobSealed, job_id="new", at=9 * DAY_MS),
    )
    assert await enforce_retention(place, use, Clock(10 * DAY_MS), days=10, dry_run=True) == ("old",)
    assert await opened(place, "old", ref) == b"one"


async def test_orphans_are_found_and_removed_and_nothing_else(place: EvidencePlace, tmp_path: Path) -> None:
    clock = Clock(1_780_000_000_000)
    cited, stray = await put(place, "job-1", b"cited"), await put(place, "job-1", b"stray")
    age(tmp_path, clock)
    young = await put(place, "job-1", b"young")

    async def read_use() -> EvidenceUse:
        return a_use(an_event(SearchReturned, job_id="job-1", memories=cited, attempt_log=None))

    found = await sweep(place, read_use, clock, grace_hours=48, dry_run=True)
    assert [each.digest for each in found.orphans] == [stray.digest]
    assert await opened(place, "job-1", stray) == b"stray"

    removed = await sweep(place, read_use, clock, grace_hours=48, dry_run=False)
    assert removed.orphans == found.orphans
    assert (await sweep(place, read_use, clock, grace_hours=48, dry_run=False)).orphans == ()
    assert [await opened(place, "job-1", ref) for ref in (cited, young)] == [b"cited", b"young"]


async def test_a_log_that_knows_nothing_removes_nothing(place: EvidencePlace, tmp_path: Path) -> None:
    clock = Clock(1_780_000_000_000)
    refs = {job: await put(place, job, b"one") for job in ("job-1", "job-2")}
    age(tmp_path, clock)

    async def read_use() -> EvidenceUse:
        return a_use()

    with pytest.raises(LogTooShort):
        await sweep(place, read_use, clock, grace_hours=48, dry_run=False)
    assert [await opened(place, job, ref) for job, ref in refs.items()] == [b"one", b"one"]
    assert len((await sweep(place, read_use, clock, grace_hours=48, dry_run=False, force=True)).orphans) == 4
