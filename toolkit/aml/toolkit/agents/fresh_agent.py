"""Agents with an empty memory and a new session, as far as they can have these."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from .agent import Agent, SamplingOutcome
from .demands import Demands
from .errors import AgentCannot


async def tell_sampling(agent: Agent, demands: Demands) -> SamplingOutcome:
    """Raises `AgentCannot` for an agent that declines: a run with another sampling than asked for would pretend."""
    if not demands.samples:
        return "not_requested"
    outcome = await agent.set_sampling(demands.temperature, demands.seed)
    if outcome in ("declined", "rejected", "not_supported"):
        raise AgentCannot(agent.name, f"take this sampling ({outcome})", "leave temperature and seed out")
    return outcome


class FreshAgents:
    """Forks where there can be any, else the agent itself, emptied. What can forget is used again: a fork may be dear."""

    def __init__(self, agent: Agent, demands: Demands) -> None:
        self._agent = agent
        self._demands = demands
        self._forks = "fork" in agent.abilities
        self._idle: list[Agent] = []

    @asynccontextmanager
    async def one(self) -> AsyncIterator[Agent]:
        """For its user alone where agents are forks; it is for the caller to let no more users in than the agent takes."""
        if not self._forks:
            yield await _emptied(self._agent)
            return
        agent = self._idle.pop() if self._idle else await self._fork()
        try:
            yield await _emptied(agent)
        finally:
            if "forget" in agent.abilities:
                self._idle.append(agent)
            else:
                await agent.aclose()

    async def aclose(self) -> None:
        while self._idle:
            await self._idle.pop().aclose()
        await self._agent.aclose()

    async def _fork(self) -> Agent:
        fork = self._agent.fork()
        await tell_sampling(fork, self._demands)
        return fork


async def _emptied(agent: Agent) -> Agent:
    if "forget" in agent.abilities:
        await agent.forget()
    if "reset_session" in agent.abilities:
        await agent.reset_session()
    return agent
