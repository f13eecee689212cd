import asyncio
from typing import Any

import pytest
from tests.unit.toolkit.agents.orders import an_add, searched

from aml.toolkit.agents import Agent, AgentFactory, as_agent
from aml.toolkit.agents.demands import Demands, agree
from aml.toolkit.agents.errors import AgentSlow
from aml.toolkit.agents.history_form import PlainHistory
from aml.toolkit.agents.lived_through import LivedThrough


class Diarist:
    """Writes down what it hears; a session's end costs it nothing."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.broken_at: str | None = None

    async def ask(self, message: str) -> str:
        if message == self.broken_at:
            self.broken_at = None
            raise RuntimeError("out of ink")
        self.log.append(message)
        return " / ".join(self.log)

    async def reset_session(self) -> None:
        self.log.append("|")


class Forgetful(Diarist):
    def __init__(self) -> None:
        super().__init__()
        self.forgot = 0

    async def forget(self) -> None:
        self.log.clear()
        self.forgot += 1


def lived(given: Any) -> LivedThrough:
    agent = as_agent(given)
    assert isinstance(agent, Agent)
    wanted = Demands(mode="live", dates="none")
    return LivedThrough(agent, agree(agent, wanted), wanted, PlainHistory(dates=False), lambda user, query: None)


async def answer(way: LivedThrough, query: str, user: str = "story") -> str:
    [item] = await way.search(searched(query, user=user))
    return str(item["content"])


async def test_a_fork_lives_a_users_sessions_turn_by_turn_with_a_reset_between() -> None:
    way = lived(AgentFactory(make=Diarist))
    await way.add(an_add("c0", "one", "two"))
    await way.add(an_add("c1", "I see.", role="assistant"))
    await way.add(an_add("c2", "three"))
    await way.add(an_add("c3", "four", session="s002"))

    assert await answer(way, "what?") == "| / one / two / three / | / four / | / what?"


async def test_each_user_has_an_agent_of_their_own() -> None:
    way = lived(AgentFactory(make=Diarist))
    await asyncio.gather(way.add(an_add("a0", "one", user="a")), way.add(an_add("b0", "two", user="b")))

    assert await answer(way, "what?", "a") == "| / one / | / what?"
    assert await answer(way, "what?", "b") == "| / two / | / what?"


async def test_a_repeated_add_goes_on_where_the_agent_broke() -> None:
    made: list[Diarist] = []

    def make() -> Diarist:
        made.append(Diarist())
        made[-1].broken_at = "two"
        return made[-1]

    way = lived(AgentFactory(make=make))
    with pytest.raises(RuntimeError):
        await way.add(an_add("c0", "one", "two", "three"))
    await way.add(an_add("c0", "one", "two", "three"))
    await way.add(an_add("c0", "one", "two", "three"))

    assert await answer(way, "what?") == "| / one / two / three / | / what?"


async def test_the_time_is_for_each_turn_and_not_for_all_of_them() -> None:
    class Slowish(Diarist):
        async def ask(self, message: str) -> str:
            await asyncio.sleep(1.0 if message == "three" else 0.04)
            return await super().ask(message)

    agent = as_agent(AgentFactory(make=Slowish))
    assert isinstance(agent, Agent)
    wanted = Demands(mode="live", dates="none")
    form = PlainHistory(dates=False)
    way = LivedThrough(agent, agree(agent, wanted), wanted, form, lambda user, query: None, seconds=0.1)

    await way.add(an_add("c0", "one", "two", "four", "five"))
    with pytest.raises(AgentSlow):
        await way.add(an_add("c1", "three"))


async def test_a_shared_agent_lives_one_story_at_a_time_and_again_after_another() -> None:
    shared = Forgetful()
    way = lived(shared)
    await way.add(an_add("a0", "one", user="a"))
    await way.add(an_add("b0", "two", user="b"))
    assert shared.log == []

    assert await answer(way, "what?", "a") == "| / one / | / what?"
    assert await answer(way, "and?", "a") == "| / one / | / what? / | / and?"
    assert await answer(way, "what?", "b") == "| / two / | / what?"
    assert await answer(way, "what?", "a") == "| / one / | / what?"
    assert shared.forgot == 3
