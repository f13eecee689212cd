"""The largest requests that a run sends: 20 messages, 2,000 words, and single messages that are longer still."""

from typing import Final

from aml.runtime.doctor.check import Check, Finding, failed, passed
from aml.runtime.doctor.phrases import filler
from aml.runtime.doctor.visit import Visit

_MESSAGES: Final = 20
_WORDS: Final = 2_000
_LARGE_WORDS: Final = 24_000
"""About 128 KiB: above the 100 kB at which some frameworks stop reading by default."""


async def _twenty_messages(visit: Visit) -> Finding:
    user, facts = visit.user("twenty"), [visit.told("twenty", number) for number in range(_MESSAGES)]
    await visit.add(user, *(fact.text for fact in facts))
    for number in (0, _MESSAGES // 2, _MESSAGES - 1):
        found = await visit.search(user, facts[number].text)
        if not found.holds(facts[number].name):
            return failed("lost", f"message {number + 1} of {_MESSAGES} was not found again", about=found)
    return passed("the first, the middle and the last of 20 messages were found")


async def _long_message(visit: Visit) -> Finding:
    user, first, last = visit.user("long"), visit.told("long", 4), visit.told("long", 5)
    words = _WORDS - len(first.text.split()) - len(last.text.split())
    await visit.add(user, f"{first.text} {filler(words)} {last.text}")
    for place, fact in (("beginning", first), ("end", last)):
        found = await visit.search(user, fact.text)
        if not found.holds(fact.name):
            return failed("cut_off", f"the {place} of a message of {_WORDS:,} words was not found again", about=found)
    return passed(f"beginning and end of {_WORDS:,} words were found")


async def _large_body(visit: Visit) -> Finding:
    user = visit.user("large")
    await visit.add(user, filler(_LARGE_WORDS))
    await visit.search(user, "Which bridge did we stop at?")
    return passed(f"a message of {_LARGE_WORDS:,} words was taken")


TWENTY_MESSAGES: Final = Check(
    name="twenty_messages",
    title="20 messages in one Add",
    why="a chunk has up to 20 messages, and each of them may hold an answer",
    mend="store every message of a request, in its order",
    run=_twenty_messages,
)
LONG_MESSAGE: Final = Check(
    name="long_message",
    title="2,000 words in one Add",
    why="a chunk has up to 2,000 words; an embedding that reads only the first 512 tokens forgets the rest",
    mend="split long messages before they are embedded, and store all of their parts",
    run=_long_message,
)
LARGE_BODY: Final = Check(
    name="large_body",
    title="A large but legal body",
    why="a message of more than 2,000 words is a chunk of its own, however long it is",
    mend="raise the body limit of the server, and of the proxy before it, to 32 MiB",
    run=_large_body,
)
