"""How much callers without a key may leave behind: each application and each proposal is kept for good, and is a fact in the log.

Each process counts for itself, and anew after its start: this bounds what one address can cost, it is no quota.
"""

import time
from collections.abc import Callable
from typing import Final

from aml.gateway.errors import MustWait

from .token_bucket import Rate, TokenBuckets

_DAY_SECONDS: Final = 86_400


class Strangers:
    def __init__(self, per_day: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        """0 a day sets no limit."""
        self._per_day = per_day
        self._buckets = TokenBuckets(Rate(per_day / _DAY_SECONDS, per_day))
        self._clock = clock

    def admit(self, address: bytes) -> None:
        """For one more. Raises `MustWait`."""
        if wait := self._buckets.take(address, self._clock()):
            raise MustWait(
                "day_used_up",
                f"{self._per_day} requests without a key came from your address within a day; with a key there is no such limit",
                wait,
            )
