"""Small talk from a grammar of our own: exchanges that hold nothing a question asks for, the same for a seed everywhere."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta, Struct

from aml.contracts.vocabulary import Language
from aml.ingest.benchmarks.practice.seeded import Seeded

from .scenario import Line

T = TypeVar("T")

_SOME = Meta(min_length=1)
_DRAW = 2**63
FRESH_TRIES = 4
"""After so many draws that were there before, a question is asked again: the grammar is finite."""

Exchange = tuple[Line, Line]


class TalkTopic(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    a: Annotated[tuple[str, ...], _SOME]
    b: Annotated[tuple[str, ...], _SOME]
    user: Annotated[tuple[str, ...], _SOME]
    assistant: Annotated[tuple[str, ...], _SOME]
    more: Annotated[tuple[str, ...], Meta(min_length=5)]


class TalkGrammar(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    language: Language
    topics: Annotated[tuple[TalkTopic, ...], _SOME]


@cache
def talk_grammar(language: Language) -> TalkGrammar:
    source = files("aml.toolkit.suites").joinpath("talk_grammars", f"{language}.toml").read_bytes()
    return msgspec.toml.decode(source, type=TalkGrammar)


class SmallTalk:
    """Draws exchanges, and seldom the same question twice."""

    def __init__(self, language: Language, seeded: Seeded, *, long_replies: bool = False) -> None:
        self._language = language
        self._topics = talk_grammar(language).topics
        self._seeded = seeded
        self._long = long_replies
        self._said: set[str] = set()

    def exchange(self) -> Exchange:
        for _ in range(FRESH_TRIES):
            asked, replied = self._draw()
            if asked not in self._said:
                break
        self._said.add(asked)
        return Line("user", asked), Line("assistant", replied)

    def _draw(self) -> tuple[str, str]:
        """From one draw, since a suite of long histories needs ten thousands of exchanges."""
        rest, topic = _pick(self._seeded.below(_DRAW), self._topics)
        rest, a = _pick(rest, topic.a)
        rest, b = _pick(rest, topic.b)
        rest, user = _pick(rest, topic.user)
        rest, assistant = _pick(rest, topic.assistant)
        parts = [assistant]
        if self._long:
            rest, start = _pick(rest, range(len(topic.more)))
            parts += [topic.more[(start + step) % len(topic.more)] for step in range(3 + rest % 3)]
        said = [_capital(part.format(a=a, b=b)) for part in (user, *parts)]
        return said[0], ("" if self._language == "zh" else " ").join(said[1:])


def _pick(number: int, items: Sequence[T]) -> tuple[int, T]:
    rest, index = divmod(number, len(items))
    return rest, items[index]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
