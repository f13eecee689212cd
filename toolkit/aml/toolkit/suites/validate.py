"""What a scenario must keep to, beyond its shape: the rules that make its questions answerable, and fair to score."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Final

from aml.contracts.vocabulary import Language
from aml.rules.fact_match import says

from .errors import ScenarioInvalid
from .fact_ways import ways_to_say
from .library import Source
from .scenario import Fact, Hook, Line, Scenario, ScenarioQuestion
from .talk import TalkUnreadable, read_talk

EARLIEST: Final = date(1971, 1, 1)
LATEST: Final = date(9998, 12, 31)
"""Room for the small talk that goes before the first session and behind the last."""

Problem = tuple[str, str]
"""Field and what is wrong with it."""

Talk = Sequence[Line | Hook]


def validate(sources: Iterable[Source]) -> tuple[ScenarioInvalid, ...]:
    """Every problem of every file, in order; empty if all is well."""
    found: list[ScenarioInvalid] = []
    first: dict[tuple[str, str, str], str] = {}
    for source in sources:
        found += _file_problems(source)
        for name in dict.fromkeys(scenario.id for scenario in source.file.scenarios):
            other = first.setdefault((source.file.category, source.file.language, name), source.name)
            if other != source.name:
                problem = f"is used in {other} too, for the same category and language"
                found.append(ScenarioInvalid(source.name, name, "id", problem))
    return tuple(found)


def _file_problems(source: Source) -> Iterator[ScenarioInvalid]:
    scenarios = source.file.scenarios
    for repeated, times in Counter(scenario.id for scenario in scenarios).items():
        if times > 1:
            yield ScenarioInvalid(source.name, repeated, "id", f"is used {times} times in the file")
    asked = Counter(question.ask for scenario in scenarios for question in scenario.questions)
    for scenario in scenarios:
        for field, problem in scenario_problems(scenario, source):
            yield ScenarioInvalid(source.name, scenario.id, field, problem)
        for position, question in enumerate(scenario.questions):
            if asked[question.ask] > 1:
                problem = "the same question is asked twice in the file"
                yield ScenarioInvalid(source.name, scenario.id, f"questions[{position}].ask", problem)


def scenario_problems(scenario: Scenario, source: Source) -> Iterator[Problem]:
    days = [session.on for session in scenario.sessions]
    if days != sorted(days):
        yield "sessions", "are not in the order of their days"
    if min(days) < EARLIEST:
        yield "sessions", f"begin before {EARLIEST}; times are counted from 1970 on"
    if scenario.asked > LATEST:
        yield "asked", f"is after {LATEST}"
    if scenario.asked < days[-1]:
        yield "asked", f"is before the last session, which is on {days[-1]}"
    try:
        sessions = [read_talk(session.talk) for session in scenario.sessions]
        noise = [part for block in scenario.noise for part in read_talk(block)]
    except TalkUnreadable as error:
        yield "talk", str(error)
        return
    reach_back = source.file.category == "reach_back"
    yield from _talk_problems(sessions, noise, noise_needs_hook=not reach_back)
    lines = [part for session in sessions for part in session if isinstance(part, Line)]
    said = {line.label: line.text for line in lines if line.label is not None}
    everything = [*(line.text for line in lines), *(part.text for part in noise if isinstance(part, Line))]
    for position, question in enumerate(scenario.questions):
        for field, problem in _question_problems(question, said, everything, source.file.language):
            yield f"questions[{position}].{field}", problem
    if reach_back:
        yield from _reach_back_problems(scenario, sessions[-1])


def _talk_problems(sessions: Sequence[Talk], noise: Talk, *, noise_needs_hook: bool) -> Iterator[Problem]:
    parts = [part for session in sessions for part in session]
    if any(isinstance(part, Hook) for part in noise):
        yield "noise", "holds a hook; hooks belong into sessions"
    if noise and noise_needs_hook and not any(isinstance(part, Hook) and part.exchanges for part in parts):
        yield "noise", "has no place to go; put a hook `~1` or larger into a session"
    for position, session in enumerate(sessions):
        if not any(isinstance(part, Line) or part.exchanges for part in session):
            yield f"sessions[{position}].talk", "holds neither a turn nor small talk"
    for label, times in Counter(part.label for part in parts if isinstance(part, Line)).items():
        if label is not None and times > 1:
            yield "talk", f"the label {label!r} is used {times} times"
    if any(isinstance(part, Line) and part.label is not None for part in noise):
        yield "noise", "has a label; only turns of sessions are evidence"


def _question_problems(
    question: ScenarioQuestion, said: Mapping[str, str], everything: Sequence[str], language: Language
) -> Iterator[Problem]:
    if not question.ask.strip() or "\0" in question.ask:
        yield "ask", "is blank" if not question.ask.strip() else "holds a NUL, which no database takes"
    if unknown := [label for label in question.evidence if label not in said]:
        yield "evidence", f"no turn has the label {unknown[0]!r}"
        return
    for ways in question.forbidden:
        if says(question.answer, ways_to_say(ways, language)):
            yield "forbidden", f"the reference answer says {ways[0]!r} itself"
    if question.judge == "abstention":
        yield from _abstention_problems(question, everything)
        return
    if not question.facts:
        yield "facts", "are missing; say what a right answer must hold"
    if not question.evidence:
        yield "evidence", "is missing; label the turns that hold the answer"
    if question.absent:
        yield "absent", "is for abstentions only"
    evidence = "\n".join(said[label] for label in question.evidence)
    for position, fact in enumerate(question.facts):
        for problem in _fact_problems(fact, question, evidence, language):
            yield f"facts[{position}]", problem


def _fact_problems(fact: Fact, question: ScenarioQuestion, evidence: str, language: Language) -> Iterator[str]:
    ways = ways_to_say(fact.any, language)
    if not says(question.answer, ways):
        yield f"the reference answer does not say {fact.any[0]!r}"
    if not fact.inferred and not says(evidence, ways):
        yield f"no evidence turn says {fact.any[0]!r}; label one, or mark it as inferred"
    for forbidden in question.forbidden:
        if set(ways) & set(ways_to_say(forbidden, language)):
            yield f"{forbidden[0]!r} is required and forbidden"


def _abstention_problems(question: ScenarioQuestion, everything: Sequence[str]) -> Iterator[Problem]:
    if question.facts or question.evidence:
        yield "facts" if question.facts else "evidence", "does not go with an abstention"
    if not question.absent:
        yield "absent", "is missing; give words that would hold the answer, and that no turn has"
    for words in question.absent:
        if holder := next((text for text in everything if says(text, (words,))), None):
            yield "absent", f"{words!r} stands in the turn {holder[:60]!r}"


def _reach_back_problems(scenario: Scenario, last: Talk) -> Iterator[Problem]:
    start = max((at for at, part in enumerate(last) if isinstance(part, Line) and part.role == "user"), default=0)
    final = last[start:]
    if any(isinstance(part, Hook) for part in final):
        yield "sessions", "end with a hook; reach-back puts its own small talk behind the last exchange"
    labels = {part.label for part in final if isinstance(part, Line)}
    for position, question in enumerate(scenario.questions):
        if not labels.issuperset(question.evidence):
            yield f"questions[{position}].evidence", "is not in the last exchange, from which the depth is counted"
