"""Casting: which topics a persona lives through, with which values, people and wording, and in which sessions."""

from collections.abc import Mapping
from datetime import date
from typing import assert_never

from msgspec import Struct

from aml.contracts.vocabulary import Capability, Language

from .calendar_terms import date_forms, days_forms, money_forms, shift
from .script import DateAnswer, DaysAnswer, Line, Moment, Script, SumAnswer, Topic, parse_beat
from .seeded import Seeded


class Beat(Struct, frozen=True):
    """A few lines that are spoken together. `topic` is None for small talk, `stage` None for everything but a stage."""

    lines: tuple[Line, ...]
    topic: str | None = None
    stage: int | None = None


class CastTopic(Struct, frozen=True):
    topic: Topic
    beats: tuple[tuple[int, Beat], ...]
    """The session's position and what is said in it."""
    question: str
    answers: tuple[str, ...]


def choose_topics(script: Script, persona: int, quota: Mapping[Capability, int], seeded: Seeded) -> list[Topic]:
    """`quota` topics a capability. Personas take turns, so that every topic is used about equally often."""
    chosen: list[Topic] = []
    for capability, wanted in quota.items():
        pool = seeded.at("topics", capability).shuffled(
            [topic for topic in script.topics if topic.capability == capability]
        )
        chosen += [pool[(persona * wanted + step) % len(pool)] for step in range(wanted)]
    return chosen


def cast_topic(
    topic: Topic, days: list[date], load: list[int], people: list[str], language: Language, seeded: Seeded
) -> CastTopic:
    """Takes names from the end of `people` and adds to `load`, the beats that each session has so far."""
    stages, noise = _sessions(topic, load, seeded.at("sessions"))
    words = _words(topic, people, seeded.at("words"))
    answers = _answers(topic, [days[session] for session in stages], words, language)
    words["date"] = answers[0] if answers else ""
    spoken = [
        (session, variants, stage) for stage, (session, variants) in enumerate(zip(stages, topic.stages, strict=True))
    ]
    placed = [
        (session, Beat(parse_beat(seeded.at("stage", str(stage)).one(variants).format(**words)), topic.key, stage))
        for session, variants, stage in spoken
    ]
    if noise is not None:
        placed.append((noise, Beat(parse_beat(seeded.at("noise").one(topic.noise).format(**words)), topic.key)))
    for session, _ in placed:
        load[session] += 1
    return CastTopic(topic, tuple(placed), seeded.at("question").one(topic.questions), answers)


def _sessions(topic: Topic, load: list[int], seeded: Seeded) -> tuple[list[int], int | None]:
    """The emptiest sessions, ties broken by the seed: one a stage in ascending order, and one for the noise."""
    last = len(load) - 1 if topic.late_noise else len(load)
    order = sorted(seeded.shuffled(range(last)), key=lambda session: load[session])
    stages = sorted(order[: len(topic.stages)])
    if not topic.noise:
        return stages, None
    free = [session for session in range(len(load)) if session not in stages]
    if topic.late_noise:
        free = [session for session in free if session > stages[-1]]
    return stages, min(seeded.shuffled(free), key=lambda session: load[session])


def _words(topic: Topic, people: list[str], seeded: Seeded) -> dict[str, str]:
    words: dict[str, str] = {}
    if topic.values:
        v, v2, w = (*seeded.shuffled(topic.values), "")[:3]
        words = {"v": v, "v2": v2, "w": w, "V": v[0].upper() + v[1:]}
    text = "\n".join((*topic.noise, *(variant for stage in topic.stages for variant in stage)))
    for name in ("p1", "p2"):
        if f"{{{name}}}" in text:
            words[name] = people.pop()
    return words


def _answers(topic: Topic, days: list[date], words: Mapping[str, str], language: Language) -> tuple[str, ...]:
    def at(moment: Moment) -> date:
        return shift(days[moment[0]], moment[1])

    match topic.answer:
        case None:
            return tuple(answer.format(**words) for answer in topic.answers)
        case DateAnswer(start=start):
            return date_forms(at(start), language)
        case DaysAnswer(start=start, end=end):
            return days_forms((at(end) - at(start)).days, language)
        case SumAnswer():
            return money_forms(int(words["v"]) + int(words["v2"]), language)
        case _:
            assert_never(topic.answer)
