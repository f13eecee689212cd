"""One Add, one Search, and the one right after the other."""

import asyncio
from typing import Final

from aml.runtime.doctor.check import Check, Finding, failed, passed
from aml.runtime.doctor.visit import Visit

_LOOKS_AGAIN_AFTER: Final = (0.2, 0.5, 1.3)
"""Seconds; together two, to tell a late index from a lost write."""


async def _add(visit: Visit) -> Finding:
    await visit.add(visit.user("first"), visit.told("first").text)
    return passed("200 with success and the three ids")


async def _search(visit: Visit) -> Finding:
    found = await visit.search(visit.user("first"), visit.told("first").query)
    return passed(f"data with {len(found.memories)} item(s) of the right shape")


async def _read_your_write(visit: Visit) -> Finding:
    user, fact = visit.user("read-your-write"), visit.told("read-your-write", 1)
    await visit.add(user, fact.text)
    at_once = await visit.search(user, fact.query)
    if at_once.holds(fact.name):
        return passed("what was written came back at once")
    waited = 0.0
    for pause in _LOOKS_AGAIN_AFTER:
        await asyncio.sleep(pause)
        waited += pause
        if (await visit.search(user, fact.query)).holds(fact.name):
            return failed(
                "late", f"what Add acknowledged could be found {waited:.1f} s later, and not at once", about=at_once
            )
    return failed(
        "not_found",
        f"what Add acknowledged was not found within {waited:.0f} s, though Search asked for just that",
        mend="store every message under its user_id and make Search find it; a memory that keeps nothing ends here too",
        about=at_once,
    )


ADD: Final = Check(
    name="add",
    title="Add answers as the contract says",
    why="a run stops at the first Add that is answered otherwise",
    mend='answer 200 with {"success": true} and the three ids as they came',
    run=_add,
    needs=("reach", "right_key"),
)
SEARCH: Final = Check(
    name="search",
    title="Search answers as the contract says",
    why="a run stops at the first Search that is answered otherwise",
    mend='answer 200 with {"data": [...]}, each item with a non-empty id and content',
    run=_search,
    needs=("reach", "right_key"),
)
READ_YOUR_WRITE: Final = Check(
    name="read_your_write",
    title="What Add acknowledged is found at once",
    why="questions follow the last Add without a pause; what is not there yet counts as forgotten",
    mend="answer Add only when the messages are stored and in the index",
    run=_read_your_write,
    needs=("add", "search"),
)
