"""The practice suite: personas who talk with an assistant over several months, and questions about what they said.

Every persona is one sample. What makes it hard on purpose: a second session is needed for the multi-hop questions and shares
no words with the question but a name; the dates of the temporal ones follow only from a message's time; a value that was
replaced is mentioned again after its replacement; and for most questions the same attribute of somebody else is near.
Abstention questions name no evidence: nothing in the conversation holds their answer.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from aml.contracts.benchmark import Gold, Question, Sample, Session, Turn
from aml.contracts.vocabulary import Capability
from aml.ingest.benchmarks.dates import to_millis

from .calendar_terms import SATURDAY
from .casting import Beat, CastTopic, cast_topic, choose_topics
from .script import Line, Script, parse_beat, read_script
from .seeded import Seeded

SEED: Final = 20_240_108

FULL_QUOTA: Final[Mapping[Capability, int]] = {
    "fact_recall": 3,
    "multi_hop": 2,
    "temporal": 3,
    "knowledge_update": 2,
    "preference": 2,
    "abstention": 2,
}
SMOKE_QUOTA: Final[Mapping[Capability, int]] = dict.fromkeys(FULL_QUOTA, 1)

FULL_SESSIONS: Final = 12
SMOKE_SESSIONS: Final = 6
SMALL_TALK_A_SESSION: Final = 2
TURN_MILLIS: Final = 45_000


def generate_practice(*, smoke: bool, seed: int = SEED) -> list[Sample]:
    """All personas with 14 questions each; for `smoke` one English and one Chinese persona with 6 questions each."""
    samples: list[Sample] = []
    for script in (read_script("en"), read_script("zh")):
        seeded = Seeded(seed, "smoke" if smoke else "full", script.language)
        for persona in range(1 if smoke else len(script.personas)):
            samples.append(_sample(f"practice-{len(samples) + 1:02}", script, persona, seeded, smoke=smoke))
    return samples


def _sample(sample_id: str, script: Script, persona: int, shared: Seeded, *, smoke: bool) -> Sample:
    seeded = shared.at("persona", str(persona))
    starts = _starts(SMOKE_SESSIONS if smoke else FULL_SESSIONS, seeded.at("starts"))
    days = [start.date() for start in starts]
    load = [0] * len(starts)
    people = seeded.at("people").shuffled(script.names)
    quota = SMOKE_QUOTA if smoke else FULL_QUOTA
    cast = [
        cast_topic(topic, days, load, people, script.language, seeded.at("topic", topic.key))
        for topic in choose_topics(script, persona, quota, shared)
    ]
    sessions, evidence = _stage_sessions(script, persona, starts, cast, seeded)
    asked_at = to_millis(starts[-1] + timedelta(days=7))
    return Sample(
        sample_id=sample_id,
        sessions=sessions,
        questions=tuple(_question(sample_id, part, asked_at) for part in cast),
        gold=tuple(_gold(sample_id, part, evidence) for part in cast),
    )


def _starts(count: int, seeded: Seeded) -> list[datetime]:
    """When the sessions begin: 5 to 16 days apart, between 7:00 and 21:59 UTC, never on a Saturday (`this past Saturday`)."""
    starts: list[datetime] = []
    day = date(2024, 1, 8) + timedelta(days=seeded.below(40))
    for _ in range(count):
        if day.weekday() == SATURDAY:
            day += timedelta(days=1)
        starts.append(datetime.combine(day, time(7 + seeded.below(15), seeded.below(60)), tzinfo=UTC))
        day += timedelta(days=5 + seeded.below(12))
    return starts


def _stage_sessions(
    script: Script, persona: int, starts: Sequence[datetime], cast: Sequence[CastTopic], seeded: Seeded
) -> tuple[tuple[Session, ...], dict[tuple[str, int], tuple[str, ...]]]:
    """The sessions, and the evidence turns of each (topic, stage)."""
    small_talk = seeded.at("small_talk").shuffled(script.small_talk)
    sessions: list[Session] = []
    evidence: dict[tuple[str, int], tuple[str, ...]] = {}
    for number, start in enumerate(starts):
        beats = [beat for part in cast for session, beat in part.beats if session == number]
        beats += [Beat(parse_beat("\n".join(small_talk.pop().lines))) for _ in range(SMALL_TALK_A_SESSION)]
        beats = seeded.at("order", str(number)).shuffled(beats)
        if number == 0:
            beats.insert(0, Beat(parse_beat("\n".join(script.personas[persona].hello))))
        session_id = f"s{number + 1:02}"
        turns: list[Turn] = []
        for beat in beats:
            first = len(turns) + 1
            turns += [_turn(session_id, first + offset, line, start) for offset, line in enumerate(beat.lines)]
            if beat.topic is not None and beat.stage is not None:
                evidence[beat.topic, beat.stage] = tuple(
                    f"{session_id}:{first + offset}" for offset, line in enumerate(beat.lines) if line.evidence
                )
        sessions.append(Session(session_id=session_id, turns=tuple(turns)))
    return tuple(sessions), evidence


def _turn(session_id: str, position: int, line: Line, start: datetime) -> Turn:
    return Turn(
        turn_id=f"{session_id}:{position}",
        role=line.role,
        content=line.text,
        timestamp=to_millis(start) + (position - 1) * TURN_MILLIS,
    )


def _question(sample_id: str, part: CastTopic, asked_at: int) -> Question:
    capability = part.topic.capability
    return Question(
        question_id=f"{sample_id}-{part.topic.key}",
        text=part.question,
        question_type=f"practice_{capability}",
        category=capability,
        capability=capability,
        asked_at=asked_at,
    )


def _gold(sample_id: str, part: CastTopic, evidence: Mapping[tuple[str, int], tuple[str, ...]]) -> Gold:
    stages = range(len(part.topic.stages))
    # Only the last stage of an update holds what is true at the end.
    telling = stages[-1:] if part.topic.capability == "knowledge_update" else stages
    return Gold(
        question_id=f"{sample_id}-{part.topic.key}",
        answers=part.answers,
        abstention=part.topic.capability == "abstention",
        evidence=tuple(turn_id for stage in telling for turn_id in evidence[part.topic.key, stage]),
    )
