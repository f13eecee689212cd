"""What use cases are given: the open connections and the settings that decide. Built once, in `bootstrap.py`."""

import asyncio
from dataclasses import dataclass, field

from aml.contracts.cycle import Cycle
from aml.runtime.bus import Bus
from aml.runtime.clock import Clock
from aml.runtime.evidence import EvidenceStore
from aml.runtime.key_encryption import KeyEncryptionKey
from aml.runtime.readiness import Readiness
from aml.runtime.sample_packs import SamplePacks
from aml.runtime.vault import KeyDeposit

from .access.check_turns import CheckTurns
from .donations.package_store import MAX_INSPECTIONS, PackageStore
from .donations.upload_places import UploadPlaces
from .edge.strangers import Strangers
from .jobs.job_queries import JobRow, load_watched_jobs
from .jobs.platform_pulse import PlatformPulse
from .jobs.progress_hub import ProgressHub
from .keys.key_queries import load_keys_by_prefix
from .keys.keys import StoredKey
from .public.releases import KnownReleases
from .settings import GatewaySettings
from .storage.database import Database
from .storage.gathered_reads import GatheredReads
from .storage.outbox import OutboxRelay


@dataclass(frozen=True)
class Parts:
    settings: GatewaySettings
    clock: Clock
    database: Database
    bus: Bus
    evidence: EvidenceStore
    vault: KeyDeposit
    check_turns: CheckTurns
    strangers: Strangers
    kek: KeyEncryptionKey
    outbox: OutboxRelay
    releases: KnownReleases
    cycles: tuple[Cycle, ...]
    pipeline: str
    readiness: Readiness
    halted: dict[str, str] = field(default_factory=dict)
    """What stopped before its time, and why; part of readiness."""
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    """Migrated, connected, first key in place."""
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    """Open streams end at once, so that the server can."""
    uploads: UploadPlaces = field(default_factory=UploadPlaces)
    inspections: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MAX_INSPECTIONS))
    packages: PackageStore = field(init=False)
    keys: GatheredReads[list[StoredKey]] = field(init=False)
    """By the key's visible beginning."""
    jobs: GatheredReads[JobRow] = field(init=False)
    packs: SamplePacks = field(init=False)
    pulse: PlatformPulse = field(init=False)
    progress: ProgressHub = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "packages", PackageStore(self.settings.donations.folder))
        object.__setattr__(self, "keys", GatheredReads(self._read_keys))
        object.__setattr__(self, "jobs", GatheredReads(self._read_jobs))
        object.__setattr__(self, "packs", SamplePacks(self.bus, self.evidence))
        object.__setattr__(self, "pulse", PlatformPulse(self.database, self.bus, self.halted))
        object.__setattr__(self, "progress", ProgressHub(self.database, self.pulse, self.stopping))

    async def _read_keys(self, prefixes: list[str]) -> dict[str, list[StoredKey]]:
        async with self.database.read() as connection:
            return await load_keys_by_prefix(connection, prefixes)

    async def _read_jobs(self, job_ids: list[str]) -> dict[str, JobRow]:
        async with self.database.read() as connection:
            return {row.job_id: row for row in await load_watched_jobs(connection, job_ids)}
