"""The same request again, the same id with another body, and the same id under another user."""

from typing import Final

from aml.runtime.doctor.check import Check, Finding, failed, passed, warned
from aml.runtime.doctor.visit import Call, Visit, text_of
from aml.runtime.participant.errors import HttpRefused, ParticipantError


async def _repeated_add(visit: Visit) -> Finding:
    user, fact = visit.user("repeated"), visit.told("repeated", 7)
    await visit.add(user, fact.text)
    before = _count(await visit.search(user, fact.text), fact.name)
    try:
        await visit.add(user, fact.text)
    except ParticipantError as error:
        return failed("refused", f"the second, identical Add failed: {error.problem}", about=visit.failing)
    found = await visit.search(user, fact.text)
    after = _count(found, fact.name)
    if after > before:
        return failed("duplicated", f"written twice: {before} item(s) before the retry, {after} after it", about=found)
    if after < before:
        return failed("lost", "the retry removed what the first request had written", about=found)
    return passed("the retry was acknowledged and changed nothing")


async def _changed_body(visit: Visit) -> Finding:
    user, first, second = visit.user("changed"), visit.told("changed", 8), visit.told("changed", 9)
    await visit.add(user, first.text)
    try:
        await visit.add(user, second.text)
        how = "acknowledged"
    except HttpRefused as error:
        how = f"refused with {error.status}"
    found = await visit.search(user, f"{first.text} {second.text}")
    kept = (found.holds(first.name), found.holds(second.name))
    if kept == (True, False):
        return passed(f"the second body was {how}, and the first one stands")
    if kept[1]:
        what = "replaced the first" if not kept[0] else "was stored beside the first"
        return warned("rewritten", f"another body under the same request_id {what}", about=found)
    return warned("lost", "after another body under the same request_id, neither is found", about=found)


async def _shared_request_id(visit: Visit) -> Finding:
    fact, other = visit.told("shared", 10), visit.told("shared", 11)
    one, two = visit.user("shared-one"), visit.user("shared-two")
    shared = f"{one}:chunk-0"
    await visit.add(one, fact.text, request_id=shared)
    await visit.add(two, other.text, request_id=shared)
    found = await visit.search(two, other.text)
    if not found.holds(other.name):
        return warned("swallowed", "a request_id known from one user hid another user's messages", about=found)
    return passed("a request_id counts within its user")


def _count(call: Call, name: str) -> int:
    return sum(name in text_of(memory.content) for memory in call.memories)


REPEATED_ADD: Final = Check(
    name="repeated_add",
    title="The same Add twice is one write",
    why="after a lost answer the platform sends the same request again, with the same request_id and the same bytes",
    mend="remember request ids (per user_id), and answer a known one with 200 without writing again",
    run=_repeated_add,
)
CHANGED_BODY: Final = Check(
    name="changed_body",
    title="Another body under a known request_id",
    why="the platform never does this; whoever accepts it cannot tell a retry from a forgery",
    mend="refuse it with 422, or ignore it",
    run=_changed_body,
    informs=True,
)
SHARED_REQUEST_ID: Final = Check(
    name="shared_request_id",
    title="One request_id under two users",
    why="request ids are compared within a user_id; across users they say nothing",
    mend="make (user_id, request_id) the key by which retries are known",
    run=_shared_request_id,
    informs=True,
)
