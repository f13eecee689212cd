"""The scenario format: one TOML file a category and language, each with the stories of that category.

    category = "basic_retention"
    language = "en"

    [[scenarios]]
    id = "kiln-shelf"
    difficulty = "easy"
    asked = 2025-05-02                 # the day on which its questions are asked
    sessions = [
      { on = 2025-03-04, talk = '''
    U[shelf]: My glaze tests are on shelf 9 of the kiln room.
    A: Shelf 9 it is.
    ~2
    ''' },
    ]
    noise = ['''
    U: Bruno dries his mugs on shelf 6.
    A: Good to know.
    ''']
    [[scenarios.questions]]
    ask = "On which shelf are my glaze tests?"
    judge = "standard"
    answer = "On shelf 9 of the kiln room."
    facts = [{ any = ["shelf 9", "9"], importance = 90 }]
    forbidden = [["shelf 6", "6"]]
    evidence = ["shelf"]

A line of `talk` is a turn: `U:` the user's or `A:` the assistant's, with a label in brackets where a question names it as
evidence; or a hook, `~N`: there the generator puts N exchanges of small talk. The blocks of `noise`, which are near misses, go
between the small talk, so a scenario with noise needs a hook that is not smaller than 1.

In `reach_back` the evidence is the last exchange, without hooks behind it: the generator puts the small talk of each depth there.
"""

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta, Struct

from aml.contracts.vocabulary import JudgeType, Language

from .categories import Category, Difficulty

Importance = Annotated[int, Meta(ge=0, le=100)]
Text = Annotated[str, Meta(min_length=1)]
ScenarioId = Annotated[str, Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*(?!\n)$", max_length=40)]
Label = Annotated[str, Meta(pattern=r"^[a-z0-9_]+(?!\n)$")]


class Fact(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that a right answer says."""

    any: Annotated[tuple[Text, ...], Meta(min_length=1)]
    """Ways to say it, the first as the evidence says it. An ISO date stands for all ways to write that day."""
    importance: Importance = 100
    """From 80 on it is critical (reducer fidelity)."""
    inferred: bool = False
    """True where the evidence does not say it in any of these words, so that it must be concluded or computed."""


class ScenarioQuestion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    ask: Text
    judge: JudgeType
    answer: Text
    """The reference answer, in full; for an abstention, one that says so."""
    facts: tuple[Fact, ...] = ()
    """Empty only for an abstention."""
    forbidden: tuple[Annotated[tuple[Text, ...], Meta(min_length=1)], ...] = ()
    """What a right answer does not assert, each with its ways to say it: near misses, replaced values, inventions."""
    evidence: tuple[Label, ...] = ()
    """Labels of the turns that hold the answer."""
    absent: tuple[Text, ...] = ()
    """For an abstention: words of which no turn has any, since they would hold the answer."""


class ScenarioSession(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    on: date
    talk: Text


class Scenario(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: ScenarioId
    """Unique in its file."""
    difficulty: Difficulty
    asked: date
    """Not before the last session."""
    sessions: Annotated[tuple[ScenarioSession, ...], Meta(min_length=1)]
    """In order of time."""
    questions: Annotated[tuple[ScenarioQuestion, ...], Meta(min_length=1)]
    noise: tuple[Text, ...] = ()
    """Near misses, each a little talk of its own."""


class ScenarioFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    category: Category
    language: Language
    scenarios: Annotated[tuple[Scenario, ...], Meta(min_length=1)]


class Line(Struct, frozen=True):
    """A turn of `talk`."""

    role: Literal["user", "assistant"]
    text: str
    label: str | None = None


class Hook(Struct, frozen=True):
    """`~N` of `talk`."""

    exchanges: int
