"""The wording that the generator stages: `scripts/<language>.toml`.

A topic is a small story with one question. Each of its `stages` goes into a later session than the one before; of the
variants of a stage, of the noise and of the question one is taken. A beat's lines begin with `U:` or `A:` for who speaks, and
with `U*:` or `A*:` where the turn is evidence. Placeholders:

- `{v}`, `{v2}`, `{w}`: three different ones of the topic's `values`; `{w}` is for near misses, `{V}` is `{v}` with a capital;
- `{p1}`, `{p2}`: two people of the persona's circle whom no other topic of the persona names;
- `{date}`: the date that is the answer.
"""

from functools import cache
from importlib.resources import files
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from aml.contracts.vocabulary import Capability, Language

Moment = tuple[int, str]
"""A stage's position and what to add to its session's date: days (`-3`), or `saturday` for the last one before it."""


class DateAnswer(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="date", rename={"start": "from"}
):
    start: Moment


class DaysAnswer(
    Struct,
    frozen=True,
    forbid_unknown_fields=True,
    tag_field="kind",
    tag="days",
    rename={"start": "from", "end": "to"},
):
    start: Moment
    end: Moment


class SumAnswer(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="sum"):
    """The sum of `{v}` and `{v2}`, in the currency of the language."""


class Topic(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    key: str
    capability: Capability
    stages: Annotated[tuple[tuple[str, ...], ...], Meta(min_length=1)]
    questions: Annotated[tuple[str, ...], Meta(min_length=1)]
    values: tuple[str, ...] = ()
    noise: tuple[str, ...] = ()
    late_noise: bool = False
    """The near miss comes after the last stage, where a reader who trusts the newest mention falls for it."""
    answers: tuple[str, ...] = ()
    answer: DateAnswer | DaysAnswer | SumAnswer | None = None


class Persona(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: str
    hello: tuple[str, ...]


class SmallTalk(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    lines: tuple[str, ...]


class Script(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    language: Language
    names: tuple[str, ...]
    personas: tuple[Persona, ...]
    topics: tuple[Topic, ...]
    small_talk: tuple[SmallTalk, ...]


class Line(Struct, frozen=True):
    role: Literal["user", "assistant"]
    text: str
    evidence: bool


@cache
def read_script(language: Language) -> Script:
    source = files("aml.ingest.benchmarks.practice").joinpath("scripts", f"{language}.toml").read_bytes()
    return msgspec.toml.decode(source, type=Script)


def parse_beat(beat: str) -> tuple[Line, ...]:
    """Raises `ValueError` for a line without a speaker: a slip in the script, caught by its test."""
    lines: list[Line] = []
    for raw in beat.strip().splitlines():
        speaker, colon, text = raw.strip().partition(":")
        if not colon or speaker not in ("U", "U*", "A", "A*"):
            raise ValueError(f"no speaker in the line {raw.strip()!r}")
        role: Literal["user", "assistant"] = "user" if speaker[0] == "U" else "assistant"
        lines.append(Line(role, text.strip(), speaker.endswith("*")))
    return tuple(lines)
