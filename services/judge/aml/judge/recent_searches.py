"""What was searched for the questions answered a moment ago: scoring needs it again, and asking the broker costs a call."""

from collections import OrderedDict

from aml.contracts.units import SearchReturned
from aml.rules.identity import job_subject
from aml.runtime.bus import Bus

CAPACITY = 1_024


class RecentSearches:
    def __init__(self, bus: Bus, *, capacity: int = CAPACITY) -> None:
        self._bus = bus
        self._capacity = capacity
        self._held: OrderedDict[tuple[str, str], SearchReturned] = OrderedDict()

    def remember(self, returned: SearchReturned) -> None:
        self._held[returned.job_id, returned.unit] = returned
        if len(self._held) > self._capacity:
            self._held.popitem(last=False)

    async def of(self, job_id: str, unit: str) -> SearchReturned | None:
        """From the stream where another process answered the question. Raises one of `bus.TRANSIENT_BUS_ERRORS`."""
        if (held := self._held.get((job_id, unit))) is not None:
            return held
        found = await self._bus.last_event(job_subject(job_id, SearchReturned, unit))
        return found if isinstance(found, SearchReturned) else None
