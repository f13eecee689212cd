"""What languages, emoji and unlucky strings become on their way through a memory system."""

import unicodedata
from typing import Final

from msgspec import Struct

from aml.runtime.doctor.check import Check, Finding, failed, passed, warned
from aml.runtime.doctor.naughty import NAUGHTY, NUL
from aml.runtime.doctor.visit import Call, Visit, text_of
from aml.runtime.participant.errors import ParticipantError


class _Line(Struct, frozen=True):
    language: str
    text: str
    core: str
    """Without this the line has lost its meaning."""


_LINES: Final = (
    _Line("Chinese", "我的小提琴老师叫沈若棠，她住在苏州。", "沈若棠"),
    _Line("Arabic", "معلمة الكمان اسمها رباب الحكيم", "رباب"),
    _Line("Korean", "내 바이올린 선생님 이름은 서가람이다.", "서가람"),
    _Line("Greek", "Ο κηπουρός μου λέγεται Ευανθία.", "Ευανθία"),
    _Line("decomposed accents", "My violin is a Rosale\u0301e from Besanc\u0327on.", "Rosale\u0301e"),
    _Line("wide letters", "The locker is Ｎ７４ in the hall.", "Ｎ７４"),
    _Line("emoji", "On the door of the club there is a 🦡 sign.", "🦡"),
)


async def _unicode(visit: Visit) -> Finding:
    user = visit.user("unicode")
    await visit.add(user, *(line.text for line in _LINES))
    changed: list[tuple[str, Call]] = []
    for line in _LINES:
        found = await visit.search(user, line.text)
        texts = [text_of(memory.content) for memory in found.memories]
        if not any(_plain(line.core) in _plain(text) for text in texts):
            return failed("lost", f"the {line.language} text did not come back", about=found)
        if not any(line.core in text for text in texts):
            changed.append((line.language, found))
    if changed:
        listed = ", ".join(name for name, _ in changed)
        return warned("altered", f"came back with other code points: {listed}", about=changed[0][1])
    return passed(f"{len(_LINES)} scripts came back as they were written")


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


async def _naughty_strings(visit: Visit) -> Finding:
    user, texts = visit.user("naughty"), list(NAUGHTY.values())
    for start in range(0, len(texts), 20):
        try:
            await visit.add(user, *texts[start : start + 20], request_id=f"{user}:chunk-{start // 20}")
        except ParticipantError:
            return await _name_the_string(visit, start)
    for kind, text in NAUGHTY.items():
        try:
            await visit.search(user, text)
        except ParticipantError as error:
            return failed(error.layer, f"Search with the query {kind!r}: {error.problem}", about=visit.failing)
    return passed(f"{len(NAUGHTY)} strings were taken as messages and as queries")


async def _name_the_string(visit: Visit, start: int) -> Finding:
    for number, (kind, text) in enumerate(list(NAUGHTY.items())[start : start + 20]):
        user = visit.user(f"naughty-{start + number}")
        visit.failing = None
        try:
            await visit.add(user, text)
        except ParticipantError as error:
            return failed(error.layer, f"Add of the message {kind!r}: {error.problem}", about=visit.failing)
    return failed("together", "each string is taken by itself, but not twenty of them together", about=visit.last)


async def _nul_character(visit: Visit) -> Finding:
    user = visit.user("nul")
    await visit.add(user, NUL)
    await visit.search(user, NUL)
    return passed("taken")


UNICODE: Final = Check(
    name="unicode",
    title="Text of every script comes back",
    why="datasets are in more than one language, and answers are compared with the text as it was",
    mend="keep UTF-8 from end to end; normalise for the index if you must, never what is stored",
    run=_unicode,
)
NAUGHTY_STRINGS: Final = Check(
    name="naughty_strings",
    title="Unlucky strings are only text",
    why="conversations hold quotes, code, markup and control characters; one 500 stops a run",
    mend="bind parameters instead of building SQL or search expressions from text, and escape what is shown",
    run=_naughty_strings,
    needs=("add", "search"),
)
NUL_CHARACTER: Final = Check(
    name="nul_character",
    title="The character U+0000",
    why="it is legal in JSON and unknown to some databases (Postgres' text among them)",
    mend="drop or replace U+0000 before storing",
    run=_nul_character,
    needs=("add", "search"),
    informs=True,
)
