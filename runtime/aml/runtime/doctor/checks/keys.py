"""The right key, a wrong one, and none."""

from typing import Final

from aml.runtime.doctor.check import Check, Finding, failed, passed, skipped, warned
from aml.runtime.doctor.visit import Key, Visit
from aml.runtime.participant.errors import AuthenticationRefused, HttpRefused, ParticipantError

_OPEN: Final = "the target is bound without a key"


async def _right_key(visit: Visit) -> Finding:
    if visit.subject.secret is None:
        return passed(_OPEN)
    try:
        await visit.search(visit.user("nobody"), "Is this the right key?")
    except AuthenticationRefused as error:
        return failed("authentication", error.problem, mend=error.advice, about=visit.failing)
    except ParticipantError:
        return passed("not refused, though the answer has another fault", about=visit.failing)
    return passed("accepted")


async def _refused(visit: Visit, key: Key) -> Finding:
    if visit.subject.secret is None:
        return skipped("no_auth", _OPEN)
    user = visit.user(f"{key}-key")
    for name in ("Add", "Search"):
        call = (
            visit.add(user, "Nobody may write this.", key=key) if name == "Add" else visit.search(user, "this", key=key)
        )
        try:
            accepted = await call
        except AuthenticationRefused:
            continue
        except HttpRefused as error:
            return warned("other_status", f"{name} refuses with {error.status} and not with 401", about=visit.failing)
        return failed("accepted", f"{name} accepts a request {_WORDS[key]}", about=accepted)
    return passed("refused by both calls", about=visit.failing)


_WORDS: Final[dict[Key, str]] = {"wrong": "with a wrong key", "none": "without a key", "right": "with the key"}

RIGHT_KEY: Final = Check(
    name="right_key",
    title="The bound key is accepted",
    why="every call of a run carries it in this one form",
    mend="check the key and its scheme (Token, Bearer or X-Api-Key)",
    run=_right_key,
    needs=("reach",),
)
_GUARD: Final = "whoever finds the URL could read and change what a run wrote, and so its score"
WRONG_KEY: Final = Check(
    name="wrong_key",
    title="A wrong key is refused",
    why=_GUARD,
    mend="compare the key on Add and on Search, and answer 401 where it differs",
    run=lambda visit: _refused(visit, "wrong"),
    needs=("reach",),
)
NO_KEY: Final = Check(
    name="no_key",
    title="A missing key is refused",
    why=_GUARD,
    mend="answer 401 where the header is missing, on Add and on Search",
    run=lambda visit: _refused(visit, "none"),
    needs=("reach",),
)
