from typing import Any

import pytest

from aml.toolkit.agents import AgentFactory, as_agent
from aml.toolkit.agents.agent import Agent
from aml.toolkit.agents.errors import AgentFailed
from aml.toolkit.longmemeval.answer_sampling import REJECTED, PinnedAgent, sampling_report


class Settable:
    def __init__(self, says: Any = None) -> None:
        self.says = says
        self.told: list[tuple[float | None, int | None]] = []

    def ask(self, message: str) -> str:
        return f"{message} under {self.told}"

    def set_sampling(self, temperature: float | None, seed: int | None) -> Any:
        self.told.append((temperature, seed))
        return self.says


def pinned(given: Any) -> PinnedAgent:
    agent = as_agent(given)
    assert isinstance(agent, Agent)
    return PinnedAgent(agent, 0.0, 7)


async def test_an_agent_is_told_once_before_its_first_question() -> None:
    agent = pinned(Settable())
    assert await agent.ask("a") == "a under [(0.0, 7)]"
    assert await agent.ask("b") == "b under [(0.0, 7)]"
    assert agent.outcomes == {"sent_unverified"}
    await agent.aclose()


async def test_every_fork_is_told() -> None:
    agent = pinned(AgentFactory(make=Settable))
    for fork in (agent.fork(), agent.fork()):
        assert "(0.0, 7)" in (await fork.ask("a") or "")
        await fork.aclose()
    assert agent.outcomes == {"sent_unverified"}


async def test_one_that_takes_no_order_runs_without_and_the_report_says_so() -> None:
    agent = pinned(lambda message: message)
    assert await agent.ask("a") == "a"
    report = sampling_report(0.0, None, agent.outcomes)
    assert (report.temperature.outcome, report.seed.outcome) == ("not_supported", "not_requested")
    assert not report.pinned
    await agent.aclose()


async def test_a_refusal_fails_the_question_rather_than_asking_without() -> None:
    agent = pinned(Settable("rejected"))
    for _ in range(2):
        with pytest.raises(AgentFailed, match=REJECTED):
            await agent.ask("a")
    await agent.aclose()


def test_the_worst_of_what_the_forks_said_is_reported() -> None:
    assert sampling_report(0.1, 2, {"sent_unverified", "echoed_different"}).seed.outcome == "echoed_different"
    assert sampling_report(0.1, 2, {"sent_and_echoed"}).pinned
    assert not sampling_report(None, None, set()).pinned
