"""Agents whose memory is known exactly, so that what a metric must say of them follows from theory.

Each answers a suite's questions from its script: the reference answer, if what the answer rests on stands in what the agent
remembers of the history that it was given, else that it does not know. What is wrong with an agent is all that differs.
"""

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from aml.contracts.vocabulary import Language
from aml.toolkit.agents import HistoryTurn
from aml.toolkit.suites.compilation import DEFAULT_SEED, QuestionKey, compile_cases, pick_scenarios
from aml.toolkit.suites.presets import preset_named

UNKNOWN = "I don't know."


@dataclass(frozen=True)
class Known:
    """A question, and the turns that its answer rests on."""

    key: QuestionKey
    evidence: tuple[str, ...]


@cache
def script_of(suite: str, limit: int | None = None, language: Language = "en") -> dict[str, Known]:
    """By the question's text, which is the same at every depth."""
    preset = preset_named(suite)
    picks = pick_scenarios(preset, limit=limit, language=language)
    script: dict[str, Known] = {}
    for case in compile_cases(preset, picks, seed=DEFAULT_SEED, language=language):
        texts = {turn.turn_id: turn.content for session in case.sample.sessions for turn in session.turns}
        for key in case.keys:
            script[key.ask] = Known(key, tuple(texts[turn_id] for turn_id in key.evidence))
    return script


class Scripted:
    """Perfect: it remembers all of its history, and says the reference answer."""

    def __init__(self, script: dict[str, Known]) -> None:
        self.script = script
        self.turns: tuple[HistoryTurn, ...] = ()

    def inject_history(self, turns: Sequence[HistoryTurn]) -> None:
        self.turns = tuple(turns)

    def ask(self, message: str) -> str | None:
        known = self.script[_undated(message)]
        return self.answer(known) if self.remembers(known) else UNKNOWN

    def remembers(self, known: Known) -> bool:
        told = "\n".join(turn.content for turn in self.remembered())
        return all(text in told for text in known.evidence)

    def remembered(self) -> Sequence[HistoryTurn]:
        return self.turns

    def answer(self, known: Known) -> str | None:
        return known.key.answer


class Amnesiac(Scripted):
    def remembered(self) -> Sequence[HistoryTurn]:
        return ()

    def remembers(self, known: Known) -> bool:
        return False


class WindowOf(Scripted):
    """Remembers the last `exchanges` user turns and what stands between them."""

    def __init__(self, script: dict[str, Known], exchanges: int) -> None:
        super().__init__(script)
        self.exchanges = exchanges

    def remembered(self) -> Sequence[HistoryTurn]:
        starts = [position for position, turn in enumerate(self.turns) if turn.role == "user"]
        return self.turns[starts[-self.exchanges] :] if len(starts) > self.exchanges else self.turns


class Summariser(Scripted):
    """Of a compacted story's facts it keeps those that `keeps` says; the others are gone."""

    def __init__(self, script: dict[str, Known], keeps: Callable[[str, int], bool]) -> None:
        super().__init__(script)
        self.keeps = keeps

    def answer(self, known: Known) -> str | None:
        if known.key.category != "reducer_fidelity":
            return super().answer(known)
        kept = [fact.any[0] for position, fact in enumerate(known.key.facts) if self.keeps(known.key.ask, position)]
        return f"{'; '.join(kept)}." if kept else UNKNOWN


class DateBlind(Scripted):
    """Knows what happened, and never when."""

    def answer(self, known: Known) -> str | None:
        return "I don't know when that was." if known.key.category == "temporal_reasoning" else super().answer(known)


class Suggestible(Scripted):
    """Says what is right, and each near miss that it heard beside it."""

    def answer(self, known: Known) -> str | None:
        if known.key.category != "noise_resilience":
            return super().answer(known)
        return " ".join([known.key.answer, *(f"It is {ways[0]}." for ways in known.key.forbidden)])


class Liar(Scripted):
    """Makes something up where it knows nothing."""

    def ask(self, message: str) -> str | None:
        if self.script[_undated(message)].key.judge == "abstention":
            return "It was four dozen violet umbrellas."
        return super().ask(message)


class Slow(Scripted):
    """Thinks for `seconds` about each question of `category`."""

    def __init__(self, script: dict[str, Known], category: str, seconds: float) -> None:
        super().__init__(script)
        self.category = category
        self.seconds = seconds

    def answer(self, known: Known) -> str | None:
        if known.key.category == self.category:
            time.sleep(self.seconds)
        return super().answer(known)


class FailingAtRandom(Scripted):
    """Raises for about one question in `one_in`, the same ones each time it is asked."""

    def __init__(self, script: dict[str, Known], one_in: int) -> None:
        super().__init__(script)
        self.one_in = one_in

    def fails(self, ask: str) -> bool:
        return hashlib.sha256(ask.encode()).digest()[0] % self.one_in == 0

    def answer(self, known: Known) -> str | None:
        if self.fails(known.key.ask):
            raise RuntimeError("the disk is on fire, and so is secret-key-77")
        return super().answer(known)


class SmallContext(Scripted):
    """Cannot take a history of more than `exchanges` user turns."""

    def __init__(self, script: dict[str, Known], exchanges: int) -> None:
        super().__init__(script)
        self.exchanges = exchanges

    def ask(self, message: str) -> str | None:
        found = sum(turn.role == "user" for turn in self.turns)
        if found > self.exchanges:
            raise ValueError(f"{found} exchanges do not fit into a context of {self.exchanges}")
        return super().ask(message)


class Garrulous(Scripted):
    """Answers a megabyte to the questions of `category`."""

    def __init__(self, script: dict[str, Known], category: str) -> None:
        super().__init__(script)
        self.category = category

    def answer(self, known: Known) -> str | None:
        return "and so on " * 100_000 if known.key.category == self.category else super().answer(known)


class Mute(Scripted):
    """Answers nothing."""

    def answer(self, known: Known) -> str | None:
        return None


def _undated(message: str) -> str:
    for opening, closing in (("(Today is ", ".) "), ("（今天是", "。）")):
        if message.startswith(opening):
            return message.split(closing, 1)[1]
    return message
