"""Acknowledgements, sent some at a time: each write to the broker's socket is 30 µs of CPU, and most of it is waking the broker.

An effect is stored before its message is acknowledged; that the broker hears of it some milliseconds later changes nothing
but when it hands out the slot.
"""

import asyncio

from .bus import TRANSIENT_BUS_ERRORS, Bus

GATHER_SECONDS = 0.005


class Acks:
    """Of one consumer. `group` of them go at once, fewer after `GATHER_SECONDS`."""

    def __init__(self, bus: Bus, *, group: int) -> None:
        self._bus = bus
        self._group = group
        self._gathered: list[str] = []
        self._timer: asyncio.TimerHandle | None = None
        self._sending: set[asyncio.Task[None]] = set()

    def add(self, reply: str) -> None:
        """`reply` is the message's reply subject."""
        self._gathered.append(reply)
        if len(self._gathered) >= self._group:
            self._start_sending()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(GATHER_SECONDS, self._start_sending)

    async def send(self) -> None:
        """What there is. One that is lost costs a delivery more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        gathered, self._gathered = self._gathered, []
        try:
            for reply in gathered:
                await self._bus.client.publish(reply)
        except TRANSIENT_BUS_ERRORS:
            return

    def _start_sending(self) -> None:
        task = asyncio.create_task(self.send())
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)
