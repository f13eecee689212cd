"""How the platform itself does, asked at most every two seconds and only when a job seems to have stalled."""

import asyncio
import time
from collections.abc import Mapping

from nats.js.errors import NotFoundError

from aml.gateway.storage.database import Database
from aml.gateway.storage.outbox_queries import count_waiting
from aml.gateway.storage.start_queries import load_installation_id
from aml.rules.identity import STREAM
from aml.runtime.bus import TRANSIENT_BUS_ERRORS, Bus

from .stall import Pulse

GOOD_FOR_SECONDS = 2.0
ASK_SECONDS = 1.0


class PlatformPulse:
    def __init__(self, database: Database, bus: Bus, halted: Mapping[str, str]) -> None:
        self._database = database
        self._bus = bus
        self._halted = halted
        self._felt = Pulse()
        self._felt_at = float("-inf")
        self._feeling = asyncio.Lock()

    async def feel(self) -> Pulse:
        """Raises one of `DATABASE_AWAY`."""
        async with self._feeling:
            if time.monotonic() - self._felt_at > GOOD_FOR_SECONDS:
                self._felt = await self._ask()
                self._felt_at = time.monotonic()
            return self._felt

    async def _ask(self) -> Pulse:
        async with self._database.read() as connection:
            waiting = await count_waiting(connection)
            durable = f"gateway-{await load_installation_id(connection)}"
        away, unread = not self._bus.connected, 0
        if not away:
            try:
                info = await asyncio.wait_for(self._bus.js.consumer_info(STREAM, durable), ASK_SECONDS)
                unread = (info.num_pending or 0) + (info.num_ack_pending or 0)
            except NotFoundError:
                unread = 0  # nobody has begun to read
            except TRANSIENT_BUS_ERRORS:
                away = True
        return Pulse(
            broker_away=away,
            waiting_to_leave=waiting,
            waiting_to_be_read=unread,
            reading_stopped=self._halted.get("projection"),
        )
