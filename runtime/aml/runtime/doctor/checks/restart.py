"""Does what was acknowledged survive a restart?"""

import asyncio
import time
from typing import Final

from aml.runtime.doctor.check import Check, Finding, failed, passed, skipped
from aml.runtime.doctor.visit import Visit
from aml.runtime.participant.errors import ParticipantError

_UP_WITHIN_SECONDS: Final = 30.0
_LOOK_EVERY_SECONDS: Final = 0.1


async def _restart(visit: Visit) -> Finding:
    if visit.subject.restart is None:
        return skipped("no_command", "no --restart-command was given")
    user, fact = visit.user("restart"), visit.told("restart", 17)
    await visit.add(user, fact.text)
    await visit.subject.restart()
    deadline = time.monotonic() + _UP_WITHIN_SECONDS
    while True:
        try:
            found = await visit.search(user, fact.text)
        except ParticipantError as error:
            if not error.retryable or time.monotonic() > deadline:
                raise
            await asyncio.sleep(_LOOK_EVERY_SECONDS)
            visit.failing = None
            continue
        if found.holds(fact.name):
            return passed("found after the restart")
        return failed("forgotten", "what Add had acknowledged was gone after the restart", about=found)


RESTART: Final = Check(
    name="restart",
    title="Memories survive a restart",
    why="a run takes hours; what Add acknowledged must outlive a crash and a deployment",
    mend="answer Add only after the write is on disk (commit, fsync), and load it at the start",
    run=_restart,
)
