"""Whose turn it is to have endpoints checked, so that the platform is nobody's port scanner and floods nobody.

A caller's address has one check at a time and so many a minute, and so has each host that is called, whoever names it.
Each process counts for itself.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Collection
from typing import Annotated, Final

from msgspec import Meta, Struct

from aml.gateway.edge.token_bucket import Rate, TokenBuckets
from aml.gateway.errors import MustWait

AT_ONCE: Final = 8
"""Checks in one process."""


class IntakeSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    checks_per_minute: Annotated[int, Meta(ge=0)] = 6
    """Of endpoints, for a caller's address and for each host that is called; 0 sets no limit.

    It does not bind where private addresses are allowed: everybody there is at home.
    """
    strangers_per_day: Annotated[int, Meta(ge=0)] = 50
    """Applications and benchmark proposals without a key, for a caller's address; 0 sets no limit. Binds as the one above."""


class CheckTurns:
    def __init__(self, per_minute: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        """0 a minute sets no limit; one at a time stays."""
        rate = Rate(per_minute / 60, max(1, per_minute))
        self._by_address, self._by_host = TokenBuckets(rate), TokenBuckets(rate)
        self._clock = clock
        self._held: set[bytes] = set()
        self._given_back = asyncio.Condition()

    @contextlib.asynccontextmanager
    async def turn(
        self, address: bytes, hosts: Collection[str], *, patience_seconds: float = 0.0
    ) -> AsyncIterator[None]:
        """Raises `MustWait` where the turn does not come within the patience, or the minute's checks are used up."""
        names = {b"address " + address, *(b"host " + host.encode() for host in hosts)}
        try:
            async with asyncio.timeout(patience_seconds or None), self._given_back:
                if not patience_seconds and not self._free(names):
                    raise MustWait("check_running", "a check of these endpoints or from your address is running", 10)
                await self._given_back.wait_for(lambda: self._free(names))
                self._held |= names
        except TimeoutError:
            raise MustWait("check_running", "other checks from your address are running", 10) from None
        try:
            self._take(address, hosts)
            yield
        finally:
            async with self._given_back:
                self._held -= names
                self._given_back.notify_all()

    def _free(self, names: set[bytes]) -> bool:
        return self._held.isdisjoint(names) and sum(name.startswith(b"address") for name in self._held) < AT_ONCE

    def _take(self, address: bytes, hosts: Collection[str]) -> None:
        now = self._clock()
        wait = self._by_address.take(address, now) or max(self._by_host.take(host.encode(), now) for host in hosts)
        if wait:
            raise MustWait("checks_used_up", "endpoints were checked as often as is possible in a minute", wait)
