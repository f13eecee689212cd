"""A canary under one user, and a search for it under others whose ids are easily mistaken for it."""

from contextlib import suppress
from typing import Final

from aml.runtime.doctor.check import Check, Finding, failed, passed
from aml.runtime.doctor.visit import Visit
from aml.runtime.participant.errors import EchoMismatched

_SAME_SESSION: Final = "a user who wrote in the same session"


async def _isolation(visit: Visit) -> Finding:
    owner, canary = visit.user("canary-Owner"), visit.told("canary", 12)
    with suppress(EchoMismatched):  # written all the same; the echo check says the rest
        await visit.add(owner, canary.text, session_id=f"{owner}:session")
    others = {
        "another user": visit.user("stranger"),
        "a user whose id only begins alike": f"{owner}-2",
        "a user whose id is the beginning of it": owner[:-1],
        "the same id in other letters": owner.swapcase(),
        "a user whose id reads as a pattern": visit.user("%"),
        _SAME_SESSION: visit.user("same-session"),
    }
    for number, user in enumerate(others.values(), start=13):
        # Each writes something, since what an unknown user gets is another check's question.
        session = f"{owner}:session" if user == others[_SAME_SESSION] else None
        with suppress(EchoMismatched):
            await visit.add(user, visit.told("stranger", number).text, session_id=session)
    for who, user in others.items():
        for query in (canary.query, canary.text):
            found = await visit.search(user, query)
            if found.holds(canary.name):
                return failed("leak", f"{who} was given what {owner} wrote", about=found)
    if not (own := await visit.search(owner, canary.text)).holds(canary.name):
        return failed("lost", "after other users had written, the owner's own memory was gone", about=own)
    return passed(f"{len(others)} other users were given nothing of it")


ISOLATION: Final = Check(
    name="isolation",
    title="Nobody reads another user's memories",
    why="user_id is the one border between samples; a leak makes every score worthless and disqualifies",
    mend="filter by the exact user_id inside the query, before ranking: no prefix, no LIKE, no case-insensitive collation",
    run=_isolation,
)
