"""The four things that are done to evidence from outside the services. Each can be interrupted and called again."""

from collections.abc import Awaitable, Callable

from msgspec import Struct

from aml.contracts.shredding import EvidenceShredded
from aml.rules.evidence_use import EvidenceUse
from aml.rules.orphans import StoredObject, find_orphans
from aml.rules.retention import due_for_shredding
from aml.runtime.bus import Bus
from aml.runtime.clock import Clock
from aml.runtime.evidence_listing import remove_objects, stored_objects
from aml.runtime.evidence_shredding import shred
from aml.runtime.key_encryption import KeyEncryptionKey
from aml.runtime.key_rotation import Rotated, rotate
from aml.toolkit.audit.log_source import LogSource
from aml.toolkit.verified_log import verified_events

from .errors import JobNotOver, JobUnknown, LogTooShort
from .key_file import begin_rotation, require_rotation, retire_older
from .place import EvidencePlace

HOUR_MS = 60 * 60 * 1000


class RotationOutcome(Struct, frozen=True, kw_only=True):
    version: int
    """In use now."""
    begun: bool
    """False where a rotation was under way and went on."""
    rotated: Rotated
    retired: tuple[int, ...]


class Swept(Struct, frozen=True, kw_only=True):
    orphans: tuple[StoredObject, ...]
    removed: bool

    @property
    def bytes(self) -> int:
        return sum(each.size for each in self.orphans)


async def rotate_key(place: EvidencePlace, *, finish: bool) -> RotationOutcome:
    """`finish` retires the older versions, after bringing along what is left under them."""
    path = place.evidence.kek_file
    if finish:
        require_rotation(path)
    begun = False if finish else begin_rotation(path)
    kek = KeyEncryptionKey.from_file(path)
    rotated = await rotate(place.store, kek)
    if finish:
        # Whoever wrapped a key while the first pass ran is seen by a second, which must find nothing.
        while (again := await rotate(place.store, kek)).changed:
            rotated = again
    retired = retire_older(path) if finish else ()
    return RotationOutcome(version=kek.versions[-1], begun=begun, rotated=rotated, retired=retired)


async def use_of(source: LogSource) -> EvidenceUse:
    use = EvidenceUse()
    async for event in verified_events(source):
        use.take(event)
    return use


async def shred_job(place: EvidencePlace, use: EvidenceUse, job_id: str, clock: Clock) -> int:
    """Raises `JobUnknown`, `JobNotOver`. A job whose destruction was stated before is gone through again."""
    if job_id not in use.jobs:
        raise JobUnknown(job_id)
    if job_id not in use.ended:
        raise JobNotOver(job_id)
    return await _with_bus(
        place, lambda bus: shred(place.store, bus, EvidenceShredded(at=clock.now_ms(), job_id=job_id, reason="request"))
    )


async def enforce_retention(
    place: EvidencePlace, use: EvidenceUse, clock: Clock, *, days: int, dry_run: bool
) -> tuple[str, ...]:
    """The jobs whose evidence went, or would go."""
    now = clock.now_ms()
    due = due_for_shredding(use.ended, use.shredded, now_ms=now, days=days)
    if due and not dry_run:

        async def shred_due(bus: Bus) -> int:
            for job_id in due:
                await shred(place.store, bus, EvidenceShredded(at=now, job_id=job_id, reason="retention"))
            return len(due)

        await _with_bus(place, shred_due)
    return due


async def sweep(
    place: EvidencePlace,
    read_use: Callable[[], Awaitable[EvidenceUse]],
    clock: Clock,
    *,
    grace_hours: int,
    dry_run: bool,
    force: bool = False,
) -> Swept:
    """The store is listed before the log is read. Raises `LogTooShort` where the log is not the store's, or was emptied."""
    objects = [each async for each in stored_objects(place.store)]
    now = clock.now_ms()
    use = await read_use()
    settled = {each.job_id for each in objects if each.written_ms <= now - grace_hours * HOUR_MS}
    unknown = settled - use.jobs
    if len(unknown) * 2 > len(settled) and len(unknown) > 1 and not (force or dry_run):
        raise LogTooShort(len(unknown), len(settled) - len(unknown))
    orphans = find_orphans(objects, use, now_ms=now, grace_hours=grace_hours)
    if orphans and not dry_run:
        await remove_objects(place.store, [each.path for each in orphans])
    return Swept(orphans=orphans, removed=not dry_run)


async def _with_bus(place: EvidencePlace, work: Callable[[Bus], Awaitable[int]]) -> int:
    bus = Bus(place.nats, name="aml-evidence")
    await bus.connect()
    try:
        return await work(bus)
    finally:
        await bus.close()
