"""Messages with a time and without one."""

from typing import Final

from msgspec import UNSET, UnsetType

from aml.runtime.doctor.check import Check, Finding, failed, passed
from aml.runtime.doctor.visit import BEAT, Visit

_TIMES: Final[dict[str, tuple[int | UnsetType, int | UnsetType]]] = {
    "absent": (UNSET, UNSET),
    "present": (BEAT, BEAT + 1),
    "in one message of two": (BEAT, UNSET),
    "before 1970 or at its first moment": (-86_400_000, 0),
}


async def _timestamps(visit: Visit) -> Finding:
    for number, (case, times) in enumerate(_TIMES.items()):
        user, facts = visit.user(f"time-{number}"), [visit.told(f"time-{number}", place) for place in (2, 3)]
        await visit.add(user, *(fact.text for fact in facts), timestamps=times)
        for fact in facts:
            found = await visit.search(user, fact.text)
            if not found.holds(fact.name):
                return failed("lost", f"with the timestamp {case}, a message was not found again", about=found)
    return passed("absent, present and mixed ones are taken")


TIMESTAMPS: Final = Check(
    name="timestamps",
    title="timestamp may be there or not",
    why="some datasets have no times, and some have them for a part of the messages",
    mend="treat messages[].timestamp as optional Unix milliseconds; never put the wall clock in its place",
    run=_timestamps,
)
