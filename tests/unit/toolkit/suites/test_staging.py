from collections.abc import Sequence
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from aml.ingest.benchmarks.practice.seeded import Seeded
from aml.toolkit.suites.scenario import Line, Scenario, ScenarioQuestion, ScenarioSession
from aml.toolkit.suites.small_talk import SmallTalk
from aml.toolkit.suites.staging import Staged, room_between, spread, stage

HOUR = 3_600_000


def a_scenario(talks: Sequence[str], *, noise: Sequence[str] = (), days: Sequence[int] | None = None) -> Scenario:
    dates = [date(2025, 3, day) for day in days or range(1, len(talks) + 1)]
    return Scenario(
        id="told",
        difficulty="easy",
        asked=date(2025, 4, 1),
        sessions=tuple(ScenarioSession(on=on, talk=talk) for on, talk in zip(dates, talks, strict=True)),
        noise=tuple(noise),
        questions=(ScenarioQuestion(ask="?", judge="standard", answer="!"),),
    )


def staged(scenario: Scenario, *, seed: int = 1, depth: int | None = None) -> Staged:
    seeded = Seeded(seed, "here")
    return stage(scenario, SmallTalk("en", seeded.at("talk")), seeded, depth=depth)


def lines_of(play: Staged) -> list[Line]:
    return [line for session in play.sessions for line in session.lines]


def user_turns(lines: Sequence[Line]) -> int:
    return sum(line.role == "user" for line in lines)


def test_a_hook_becomes_so_many_exchanges_in_its_place() -> None:
    (session,) = staged(a_scenario(["U: first\n~3\nU: last"])).sessions
    assert [session.lines[0].text, session.lines[-1].text] == ["first", "last"]
    assert len(session.lines) == 2 + 2 * 3


def test_near_misses_come_between_the_small_talk_and_all_of_them_come() -> None:
    play = staged(a_scenario(["U: first\n~3", "~2\nU: last"], noise=["U: miss 1\nA: ok", "U: miss 2", "U: miss 3"]))
    texts = [line.text for line in lines_of(play)]
    assert {text for text in texts if text.startswith("miss")} == {"miss 1", "miss 2", "miss 3"}
    assert texts.index("ok") == texts.index("miss 1") + 1
    assert texts[0] == "first"
    assert texts[-1] == "last"


def test_more_near_misses_than_places_share_them() -> None:
    play = staged(a_scenario(["~1"], noise=["U: a", "U: b", "U: c"]))
    assert {"a", "b", "c"} <= {line.text for line in lines_of(play)}


def test_another_seed_deals_them_otherwise() -> None:
    scenario = a_scenario(["U: first\n~9"], noise=["U: miss 1", "U: miss 2"])

    def places(seed: int) -> list[int]:
        return [at for at, line in enumerate(lines_of(staged(scenario, seed=seed))) if line.text.startswith("miss")]

    assert len({tuple(places(seed)) for seed in range(8)}) > 1


@given(depth=st.integers(0, 60), misses=st.integers(0, 4), seed=st.integers(0, 99))
def test_the_depth_is_the_user_turns_behind_the_scenario(depth: int, misses: int, seed: int) -> None:
    noise = ["U: miss\nA: ok\nU: twice\nA: ok"] * misses
    play = staged(a_scenario(["~1\nU[it]: the fact\nA: ok"], noise=noise), seed=seed, depth=depth)
    lines = lines_of(play)
    at = next(at for at, line in enumerate(lines) if line.label == "it")
    assert user_turns(lines[at + 1 :]) == depth


def test_sessions_lie_on_their_days_in_order_and_the_question_after_them() -> None:
    play = staged(a_scenario(["U: a\n~2", "U: b", "U: c"], days=[4, 4, 9]))
    assert [datetime.fromtimestamp(each.at / 1000, UTC).day for each in play.sessions] == [4, 4, 9]
    assert play.sessions[0].end + HOUR <= play.sessions[1].at
    assert datetime.fromtimestamp(play.asked_at / 1000, UTC) == datetime(2025, 4, 1, 18, tzinfo=UTC)


def test_a_question_of_the_last_day_comes_after_its_talk() -> None:
    scenario = a_scenario(["U: a\n~400"], days=[31])
    play = staged(replace(scenario, asked=date(2025, 3, 31)))
    assert play.asked_at >= play.sessions[-1].end + HOUR


@pytest.mark.parametrize("hours", [1, 24, 24 * 60])
def test_what_there_is_room_for_is_spread_without_overlap(hours: int) -> None:
    after, before = 10 * HOUR, (10 + hours) * HOUR
    exchanges = [(Line("user", "?"), Line("assistant", "!"))] * min(room_between(after, before), 2_000)
    sessions = list(spread(exchanges, after, before))
    edges = [after, *(edge for session in sessions for edge in (session.at, session.end)), before]
    assert edges == sorted(edges)
    assert sum(len(session.lines) for session in sessions) == 2 * len(exchanges)


def test_what_there_is_no_room_for_follows_one_upon_the_other() -> None:
    sessions = list(spread([(Line("user", "?"), Line("assistant", "!"))] * 100, 0, HOUR))
    edges = [edge for session in sessions for edge in (session.at, session.end)]
    assert edges == sorted(edges)
    assert room_between(0, HOUR) < 100
