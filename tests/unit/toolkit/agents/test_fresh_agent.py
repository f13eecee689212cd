from datetime import datetime

import pytest

from aml.toolkit.agents.agent import Ability, Agent, SamplingOutcome
from aml.toolkit.agents.demands import Demands
from aml.toolkit.agents.errors import AgentCannot
from aml.toolkit.agents.fresh_agent import FreshAgents, tell_sampling


class Spied(Agent):
    """Writes down what is done to it and to its forks."""

    def __init__(
        self, *abilities: Ability, log: list[str] | None = None, outcome: SamplingOutcome = "declined"
    ) -> None:
        self.name = "spied"
        self.abilities = frozenset(abilities)
        self.log: list[str] = [] if log is None else log
        self.outcome = outcome

    async def ask(self, message: str, *, at: datetime | None = None) -> str:
        return message

    async def reset_session(self) -> None:
        self.log.append("reset")

    async def forget(self) -> None:
        self.log.append("forget")

    def fork(self) -> "Spied":
        self.log.append("fork")
        return Spied(*self.abilities, log=self.log, outcome=self.outcome)

    async def set_sampling(self, temperature: float | None, seed: int | None) -> SamplingOutcome:
        self.log.append(f"sampling {temperature} {seed}")
        return self.outcome

    async def aclose(self) -> None:
        self.log.append("closed")


async def use(agents: FreshAgents, times: int) -> None:
    for _ in range(times):
        async with agents.one():
            pass


async def test_an_agent_that_cannot_be_forked_is_emptied_instead() -> None:
    agent = Spied("forget", "reset_session")

    async with FreshAgents(agent, Demands()).one() as fresh:
        assert fresh is agent
    assert agent.log == ["forget", "reset"]


async def test_a_fork_that_cannot_forget_is_used_once() -> None:
    agent = Spied("fork")
    agents = FreshAgents(agent, Demands())

    await use(agents, 2)

    assert agent.log == ["fork", "closed", "fork", "closed"]


async def test_a_fork_that_can_forget_is_used_again() -> None:
    agent = Spied("fork", "forget", "set_sampling", outcome="sent_unverified")
    agents = FreshAgents(agent, Demands(seed=7))

    await use(agents, 2)
    await agents.aclose()

    assert agent.log == ["fork", "sampling None 7", "forget", "forget", "closed", "closed"]


async def test_two_at_once_are_two_forks() -> None:
    agents = FreshAgents(Spied("fork", "forget"), Demands())

    async with agents.one() as one, agents.one() as other:
        assert one is not other


@pytest.mark.parametrize("outcome", ["declined", "rejected", "not_supported"])
async def test_a_sampling_that_is_not_taken_ends_the_run_before_it_begins(outcome: SamplingOutcome) -> None:
    agent = Spied("set_sampling", outcome=outcome)

    with pytest.raises(AgentCannot, match=outcome):
        await tell_sampling(agent, Demands(temperature=0.0))
    assert await tell_sampling(agent, Demands()) == "not_requested"
