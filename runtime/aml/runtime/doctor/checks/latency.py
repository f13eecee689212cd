"""How long calls take when nothing runs beside them, and the one number that betrays a socket option."""

from typing import Final

from msgspec import Struct

from aml.runtime.doctor.check import Check, Finding, passed, warned
from aml.runtime.doctor.visit import Visit

_SEARCHES: Final = 20
_DELAYED_ACK_MS: Final = (38.0, 52.0)
"""Linux acknowledges a small segment after 40 ms; with Nagle's algorithm (RFC 896) the rest of a response waits for that."""
_MOST: Final = 0.8
"""Of the calls: the delay is the kernel's, so nearly all have it."""


class Spread(Struct, frozen=True):
    """Milliseconds, by nearest rank."""

    p50: float
    p95: float
    delayed: bool


async def _latency(visit: Visit) -> Finding:
    user, fact = visit.user("latency"), visit.told("latency", 16)
    await visit.add(user, fact.text)
    for _ in range(_SEARCHES):
        await visit.search(user, fact.query)
    spreads = {name: spread(latencies) for name, latencies in visit.alone.items() if latencies}
    line = ", ".join(f"{name.capitalize()} p50 {s.p50:.1f} ms, p95 {s.p95:.1f} ms" for name, s in spreads.items())
    if any(found.delayed for found in spreads.values()):
        return warned("flat_40ms", f"{line}: a flat 40 to 50 ms a call is Nagle's algorithm and a delayed ACK")
    return passed(line)


def spread(latencies_us: list[int]) -> Spread:
    """Raises `IndexError` for no latencies."""
    ordered = sorted(latency / 1000 for latency in latencies_us)
    low, high = _DELAYED_ACK_MS
    inside = sum(low <= latency <= high for latency in ordered)
    return Spread(
        p50=ordered[(len(ordered) - 1) // 2],
        p95=ordered[max(0, -(-len(ordered) * 95 // 100) - 1)],
        delayed=inside >= _MOST * len(ordered),
    )


LATENCY: Final = Check(
    name="latency",
    title="How long a call takes",
    why="latency is published beside the score; a flat 40 ms is the network stack and not the memory",
    mend="set TCP_NODELAY on the server's sockets, or send header and body in one write",
    run=_latency,
    informs=True,
)
