"""The worker that destroys replaced memory system keys. The leading gateway runs it."""

import asyncio
from typing import Final

import structlog

from aml.gateway.storage.database import DATABASE_AWAY, Database
from aml.runtime.evidence import EvidenceUnavailable
from aml.runtime.vault import KeyDeposit

from .retired_secret_queries import forget_secret, load_unused

log = structlog.get_logger()

EVERY_SECONDS: Final = 30.0
_BATCH: Final = 100


class RetiredSecrets:
    def __init__(self, database: Database, vault: KeyDeposit) -> None:
        self._database = database
        self._vault = vault

    async def run(self, until: asyncio.Event, *, every_seconds: float = EVERY_SECONDS) -> None:
        while not until.is_set():
            try:
                await self.destroy_unused()
            except (*DATABASE_AWAY, EvidenceUnavailable) as error:
                log.warning("retired_secrets.deferred", error=type(error).__name__)
            try:
                await asyncio.wait_for(until.wait(), every_seconds)
            except TimeoutError:
                continue

    async def destroy_unused(self) -> int:
        """How many are gone now. The row goes last: what is interrupted is done again."""
        async with self._database.read() as connection:
            found = await load_unused(connection, _BATCH)
        for secret_id in found:
            await self._vault.destroy(secret_id)
            async with self._database.read() as connection:
                await forget_secret(connection, secret_id)
        if found:
            log.info("retired_secrets.destroyed", secrets=len(found))
        return len(found)
