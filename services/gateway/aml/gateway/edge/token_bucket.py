"""Token buckets by name: a steady rate with a burst, in bounded memory. Pure but for its own state; the time is passed in."""

from collections import OrderedDict

from msgspec import Struct


class Rate(Struct, frozen=True):
    """At most `burst` at once, and `per_second` from then on. 0 a second means no limit."""

    per_second: float
    burst: float


class TokenBuckets:
    """One bucket a name. Of more than `names` the ones that were quiet longest are forgotten: they are the fullest."""

    def __init__(self, rate: Rate, *, names: int = 50_000) -> None:
        self._rate = rate
        self._names = names
        self._buckets: OrderedDict[bytes, tuple[float, float]] = OrderedDict()

    def take(self, name: bytes, now: float) -> float:
        """Seconds until the next is allowed: 0 where this one is. `now` is in seconds and never runs backwards."""
        rate = self._rate
        if rate.per_second <= 0:
            return 0.0
        tokens, at = self._buckets.pop(name, (rate.burst, now))
        tokens = min(rate.burst, tokens + (now - at) * rate.per_second)
        allowed = tokens >= 1
        self._buckets[name] = (tokens - 1 if allowed else tokens, now)
        if len(self._buckets) > self._names:
            self._buckets.popitem(last=False)
        return 0.0 if allowed else (1 - tokens) / rate.per_second
