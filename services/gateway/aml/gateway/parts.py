"""What use cases are given: the open connections and the settings that decide. Built once, in `bootstrap.py`."""

import asyncio
from dataclasses import dataclass, field

from aml.runtime.bus import Bus
from aml.runtime.clock import Clock
from aml.runtime.evidence import EvidenceStore
from aml.runtime.key_encryption import KeyEncryptionKey
from aml.runtime.readiness import Readiness
from aml.runtime.vault import Vault

from .public.releases import KnownReleases
from .settings import GatewaySettings
from .storage.database import Database
from .storage.outbox import OutboxRelay


@dataclass(frozen=True)
class Parts:
    settings: GatewaySettings
    clock: Clock
    database: Database
    bus: Bus
    evidence: EvidenceStore
    vault: Vault
    kek: KeyEncryptionKey
    outbox: OutboxRelay
    releases: KnownReleases
    pipeline: str
    readiness: Readiness
    halted: dict[str, str] = field(default_factory=dict)
    """What stopped before its time, and why; part of readiness."""
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    """Migrated, connected, first key in place."""
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    """Open streams end at once, so that the server can."""
