"""As many calls at once as were declared."""

from typing import Final

import msgspec

from aml.runtime.doctor.check import Check, Finding, failed, passed, warned
from aml.runtime.doctor.phrases import Told
from aml.runtime.doctor.visit import Call, Visit, together


async def _concurrency(visit: Visit) -> Finding:
    adds, searches = visit.subject.add_concurrency, visit.subject.search_concurrency
    told = [(visit.user(f"busy-{number}"), visit.told("busy", number)) for number in range(max(adds, 1))]

    async def look(user: str, fact: Told) -> tuple[bool, Call]:
        found = await visit.search(user, fact.text)
        # Without its memories: a response may have 30 MiB, and hundreds of them would be kept.
        return found.holds(fact.name), msgspec.structs.replace(found, memories=())

    added = await together(visit.add(user, fact.text) for user, fact in told)
    looked = await together(look(*told[number % len(told)]) for number in range(searches))
    lost = [call for held, call in looked if not held]
    if lost:
        return failed("lost", f"{len(lost)} of {len(looked)} searches did not find what was written", about=lost[0])
    retried = [call for call in (*added, *(call for _, call in looked)) if call.attempts > 1]
    if retried:
        return warned(
            "busy", f"{len(retried)} of {len(added) + len(looked)} calls had to be repeated", about=retried[0]
        )
    return passed(f"{adds} Adds and {searches} Searches at once")


CONCURRENCY: Final = Check(
    name="concurrency",
    title="Calls at the declared concurrency",
    why="a run keeps this many calls under way for hours; refusals slow it down and cost retries",
    mend="declare what the server bears, or make it bear what was declared",
    run=_concurrency,
)
