"""Rotation over several API keys. A key that was told to slow down rests; the clock is passed in."""

from collections.abc import Sequence

from msgspec import Struct

COOL_DOWN_MS = 30_000
RETIRED_MS = 600_000
"""A key that was refused (401, 403) is not asked again for this long."""


class KeyLease(Struct, frozen=True, kw_only=True):
    key: str
    wait_ms: int
    """How long until it may be used; more than 0 only when every key rests."""


class KeyRing:
    """Round robin over the keys that are not resting; else the one that wakes first."""

    def __init__(self, keys: Sequence[str]) -> None:
        if not keys:
            raise ValueError("a key ring needs a key; for an endpoint without keys give any word")
        self._keys = tuple(keys)
        self._rests_until = [0] * len(keys)
        self._next = 0

    def __len__(self) -> int:
        return len(self._keys)

    def lease(self, now_ms: int) -> KeyLease:
        count = len(self._keys)
        order = [(self._next + step) % count for step in range(count)]
        chosen = min(order, key=lambda i: max(0, self._rests_until[i] - now_ms))
        self._next = (chosen + 1) % count
        return KeyLease(key=self._keys[chosen], wait_ms=max(0, self._rests_until[chosen] - now_ms))

    def rest(self, key: str, now_ms: int, for_ms: int = COOL_DOWN_MS) -> None:
        """A later, shorter rest does not shorten an earlier one."""
        i = self._keys.index(key)
        self._rests_until[i] = max(self._rests_until[i], now_ms + for_ms)

    def awake(self, now_ms: int) -> int:
        """How many keys may be used now."""
        return sum(until <= now_ms for until in self._rests_until)
