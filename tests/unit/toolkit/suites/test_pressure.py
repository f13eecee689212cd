from datetime import date

import pytest

from aml.contracts.vocabulary import Language
from aml.ingest.benchmarks.practice.seeded import Seeded
from aml.toolkit.suites.library import own_scenarios
from aml.toolkit.suites.pressure import Pressure
from aml.toolkit.suites.scenario import Scenario, ScenarioQuestion, ScenarioSession
from aml.toolkit.suites.small_talk import SmallTalk
from aml.toolkit.suites.staging import Staged, stage

TOKENS = 6_000
LONGEST_EXCHANGE = 250
SEEDED = Seeded(5, "pressure")


def pressed(
    scenario: Scenario, *, depth: int | None = None, language: Language = "en", tokens: int = TOKENS
) -> tuple[Staged, Staged, int]:
    pressure = Pressure(tokens, language, SEEDED)
    bare = stage(scenario, SmallTalk(language, SEEDED.at("talk")), SEEDED, depth=depth)
    full = pressure.around(bare, SEEDED.at("around"), before_only=depth is not None)
    return bare, full, pressure.tokens_of(full)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_history_is_as_long_as_asked_and_not_longer(language: Language) -> None:
    for scenario in own_scenarios("cross_session", language).file.scenarios[:3]:
        _, _, tokens = pressed(scenario, language=language)
        assert TOKENS - LONGEST_EXCHANGE < tokens <= TOKENS


def test_no_session_of_the_scenario_is_moved_and_none_overlaps() -> None:
    for scenario in own_scenarios("temporal_reasoning", "en").file.scenarios:
        bare, full, _ = pressed(scenario, tokens=40_000)
        assert [session for session in full.sessions if session in bare.sessions] == list(bare.sessions)
        edges = [edge for session in full.sessions for edge in (session.at, session.end)]
        assert [*edges, full.asked_at] == sorted([*edges, full.asked_at])
        assert full.asked_at == bare.asked_at


def test_talk_lies_before_between_and_after() -> None:
    bare, full, _ = pressed(own_scenarios("cross_session", "en").file.scenarios[0])
    places = [full.sessions.index(session) for session in bare.sessions]
    gaps = [b - a - 1 for a, b in zip([-1, *places], [*places, len(full.sessions)], strict=True)]
    assert all(gaps)


def test_between_sessions_of_one_hour_there_is_little_room_so_it_comes_before() -> None:
    day = date(2025, 3, 4)
    scenario = Scenario(
        id="tight",
        difficulty="easy",
        asked=day,
        sessions=(ScenarioSession(on=day, talk="U: a"), ScenarioSession(on=day, talk="U: b")),
        questions=(ScenarioQuestion(ask="?", judge="standard", answer="!"),),
    )
    bare, full, tokens = pressed(scenario, tokens=60_000)
    assert tokens > 60_000 - LONGEST_EXCHANGE
    assert [session for session in full.sessions if session in bare.sessions] == list(bare.sessions)


def test_the_depth_of_a_reach_back_stays_as_it_is() -> None:
    bare, full, tokens = pressed(own_scenarios("reach_back", "en").file.scenarios[0], depth=25)
    assert full.sessions[-len(bare.sessions) :] == bare.sessions
    assert tokens > TOKENS - LONGEST_EXCHANGE


def test_a_scenario_that_is_longer_than_the_pressure_stays_alone() -> None:
    bare, full, _ = pressed(own_scenarios("cross_session", "en").file.scenarios[0], tokens=20)
    assert full == bare
