"""A suite compiled: scenarios to the platform's own samples, and for each question what the metrics have to know of it."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from aml.contracts.benchmark import Gold, GoldFact, Question, Sample, Session, Turn
from aml.contracts.vocabulary import JudgeType, Language
from aml.ingest.benchmarks.practice.seeded import Seeded

from .categories import CAPABILITIES, Category, Difficulty
from .errors import ScenariosMissing
from .fact_ways import ways_to_say
from .library import own_scenarios, read_folder, scenarios_by_category
from .presets import Preset
from .pressure import Pressure
from .scenario import Scenario, ScenarioQuestion
from .small_talk import SmallTalk
from .staging import TURN_MILLIS, Staged, stage
from .validate import validate

DEFAULT_SEED: Final = 42
_LEVELS: Final[tuple[Difficulty, ...]] = ("hard", "medium", "easy")


class QuestionKey(Struct, frozen=True, kw_only=True):
    """A question as its scenario has it, found again by the id that events carry."""

    question_id: str
    sample_id: str
    scenario: str
    category: Category
    difficulty: Difficulty
    judge: JudgeType
    ask: str
    answer: str
    """The reference answer."""
    facts: tuple[GoldFact, ...]
    forbidden: tuple[tuple[str, ...], ...]
    evidence: tuple[str, ...]
    """`turn_id`s of the sample."""
    depth: int | None = None
    """Reach-back: exchanges between the fact and the question."""


class Case(Struct, frozen=True, kw_only=True):
    """A scenario, at a depth where it is one of reach-back, as the platform takes it."""

    sample: Sample
    keys: tuple[QuestionKey, ...]


class Pick(Struct, frozen=True, kw_only=True):
    """A scenario that a suite plays, and how deep."""

    category: Category
    scenario: Scenario
    depth: int | None = None

    @property
    def name(self) -> str:
        return f"{self.category}-{self.scenario.id}{'' if self.depth is None else f'-d{self.depth}'}"


def pick_scenarios(
    preset: Preset,
    *,
    seed: int = DEFAULT_SEED,
    language: Language = "en",
    limit: int | None = None,
    folder: Path | None = None,
) -> tuple[Pick, ...]:
    """At most `limit` scenarios a category (or the preset's number), the difficulties in turn, in their files' order.

    `folder` holds a user's scenarios instead of ours; a category that it lacks is left out. Raises `ScenariosMissing`,
    `ScenarioUnreadable`, `ScenarioInvalid`.
    """
    available = _library(preset, language, folder)
    count = limit if limit is not None else preset.scenarios_per_category
    picks: list[Pick] = []
    for category, scenarios in available.items():
        chosen = _choose(scenarios, count, Seeded(seed, language, "choice", category))
        depths: tuple[int | None, ...] = preset.depths if category == "reach_back" else (None,)
        picks += [Pick(category=category, scenario=each, depth=depth) for each in chosen for depth in depths]
    return tuple(picks)


def compile_cases(preset: Preset, picks: Sequence[Pick], *, seed: int, language: Language) -> Iterator[Case]:
    """One at a time; what stays in memory is the pressure of one history."""
    root = Seeded(seed, language)
    pressure = Pressure(preset.pressure_tokens, language, root.at("pressure")) if preset.pressure_tokens else None
    for pick in picks:
        seeded = root.at(pick.name)
        staged = stage(pick.scenario, SmallTalk(language, seeded.at("talk")), seeded, depth=pick.depth)
        if pressure is not None:
            staged = pressure.around(staged, seeded.at("pressure"), before_only=pick.depth is not None)
        yield _case(pick, staged, language)


def _library(preset: Preset, language: Language, folder: Path | None) -> Mapping[Category, tuple[Scenario, ...]]:
    if folder is None:
        return {category: own_scenarios(category, language).file.scenarios for category in preset.weights}
    sources = tuple(read_folder(folder))
    if problems := validate(sources):
        raise problems[0]
    given = scenarios_by_category(iter(sources), language)
    found = {category: given[category] for category in preset.weights if category in given}
    if not found:
        raise ScenariosMissing(folder, f"has no scenarios in {language!r} of a category of the suite {preset.name!r}")
    return found


def _choose(scenarios: Sequence[Scenario], count: int | None, seeded: Seeded) -> list[Scenario]:
    if count is None or count >= len(scenarios):
        return list(scenarios)
    piles = [seeded.at(level).shuffled([each for each in scenarios if each.difficulty == level]) for level in _LEVELS]
    chosen: set[str] = set()
    while len(chosen) < count:
        for pile in piles:
            if pile and len(chosen) < count:
                chosen.add(pile.pop().id)
    return [each for each in scenarios if each.id in chosen]


def _case(pick: Pick, staged: Staged, language: Language) -> Case:
    sample_id = f"{language}-{pick.name}"
    sessions: list[Session] = []
    turn_ids: dict[str, str] = {}
    for number, session in enumerate(staged.sessions, start=1):
        session_id = f"s{number:03}"
        turns: list[Turn] = []
        for position, line in enumerate(session.lines):
            turn_id = f"{session_id}:{position + 1}"
            if line.label is not None:
                turn_ids[line.label] = turn_id
            at = session.at + position * TURN_MILLIS
            turns.append(Turn(turn_id=turn_id, role=line.role, content=line.text, timestamp=at))
        sessions.append(Session(session_id=session_id, turns=tuple(turns)))
    keys = tuple(
        _key(pick, question, f"{sample_id}-q{number}", sample_id, turn_ids, language)
        for number, question in enumerate(pick.scenario.questions, start=1)
    )
    return Case(
        sample=Sample(
            sample_id=sample_id,
            sessions=tuple(sessions),
            questions=tuple(_question(key, staged.asked_at) for key in keys),
            gold=tuple(_gold(key) for key in keys),
        ),
        keys=keys,
    )


def _key(
    pick: Pick,
    question: ScenarioQuestion,
    question_id: str,
    sample_id: str,
    turn_ids: Mapping[str, str],
    language: Language,
) -> QuestionKey:
    return QuestionKey(
        question_id=question_id,
        sample_id=sample_id,
        scenario=pick.scenario.id,
        category=pick.category,
        difficulty=pick.scenario.difficulty,
        judge=question.judge,
        ask=question.ask,
        answer=question.answer,
        facts=tuple(
            GoldFact(any=ways_to_say(fact.any, language), importance=fact.importance) for fact in question.facts
        ),
        forbidden=tuple(ways_to_say(ways, language) for ways in question.forbidden),
        evidence=tuple(turn_ids[label] for label in question.evidence),
        depth=pick.depth,
    )


def _question(key: QuestionKey, asked_at: int) -> Question:
    return Question(
        question_id=key.question_id,
        text=key.ask,
        question_type=key.judge,
        category=key.category,
        capability=CAPABILITIES[key.category],
        asked_at=asked_at,
    )


def _gold(key: QuestionKey) -> Gold:
    return Gold(
        question_id=key.question_id,
        answers=(key.answer,),
        abstention=key.judge == "abstention",
        evidence=key.evidence,
        facts=key.facts,
        forbidden=key.forbidden,
    )
