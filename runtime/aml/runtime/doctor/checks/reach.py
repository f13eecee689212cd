"""Is there a server at all, and does it say that it is well?"""

from typing import Final

from aml.runtime.doctor.check import Check, Finding, failed, passed, skipped
from aml.runtime.doctor.visit import Visit
from aml.runtime.participant.errors import AddressRefused, ParticipantError, TlsFailed, TransportFailed


async def _reach(visit: Visit) -> Finding:
    """Any answer will do, a refusal included."""
    try:
        await visit.search(visit.user("nobody"), "Is anybody there?")
    except (AddressRefused, TlsFailed, TransportFailed) as error:
        return failed(error.layer, error.problem, mend=error.advice, about=visit.failing)
    except ParticipantError as error:
        if error.status is None:
            return failed(error.layer, error.problem, mend=error.advice, about=visit.failing)
        return passed(f"the server answered with status {error.status}", about=visit.failing)
    return passed("the server answered")


async def _health(visit: Visit) -> Finding:
    if visit.subject.target.health_url is None:
        return skipped("not_bound", "no health URL is bound")
    await visit.health()
    return passed("healthy")


REACH: Final = Check(
    name="reach",
    title="Search's address answers",
    why="without an answer nothing else can be asked",
    mend="start the server, and check host, port and path",
    run=_reach,
    needs=(),
)
HEALTH: Final = Check(
    name="health",
    title="Health answers 2xx without a key",
    why="it is asked before a run begins, and by whoever looks for the cause when one stops",
    mend="answer a GET without a key with any 2xx status",
    run=_health,
    needs=("reach",),
)
