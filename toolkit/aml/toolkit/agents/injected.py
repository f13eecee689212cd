"""History injection: Adds are kept here, and each question finds an agent that is given the whole history and asked once."""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from aml.contracts.participant import AddRequest, SearchRequest

from .agent import Agent, HistoryTurn
from .attendance import said
from .demands import Demands, Terms
from .fresh_agent import FreshAgents
from .history_form import HistoryForm
from .in_time import ANSWER_SECONDS, in_time
from .received import turns_of

AskedAt = Callable[[str, str], datetime | None]
"""User and question to the time of asking, which the platform does not send."""


class Injected:
    def __init__(
        self,
        agent: Agent,
        terms: Terms,
        demands: Demands,
        form: HistoryForm,
        asked_at: AskedAt,
        *,
        seconds: float = ANSWER_SECONDS,
    ) -> None:
        """`seconds` are for each of the agent's answers."""
        self._agents = FreshAgents(agent, demands)
        self._terms = terms
        self._form = form
        self._asked_at = asked_at
        self._seconds = seconds
        self._at_once = asyncio.Semaphore(agent.max_concurrency)
        self._told: dict[str, list[HistoryTurn]] = defaultdict(list)
        self._done: set[str] = set()

    async def add(self, request: AddRequest) -> None:
        if request.request_id not in self._done:
            self._told[request.user_id] += turns_of(request)
            self._done.add(request.request_id)

    async def search(self, request: SearchRequest) -> list[dict[str, Any]]:
        query, turns = str(request.query), self._told.get(request.user_id, [])
        asked_at = self._asked_at(request.user_id, query)
        instant = asked_at if self._terms.instants else None
        async with self._at_once, self._agents.one() as agent, in_time(self._seconds):
            if not self._terms.chat:
                return said(await agent.ask(self._form.blob(turns, query, asked_at), at=instant))
            await agent.inject_history(timed(self._form.chat(turns), self._terms))
            return said(await agent.ask(self._form.question(query, asked_at), at=instant))

    async def aclose(self) -> None:
        await self._agents.aclose()


def timed(turns: tuple[HistoryTurn, ...], terms: Terms) -> tuple[HistoryTurn, ...]:
    """Without the times that the run keeps from the agent."""
    return turns if terms.instants else tuple(replace(turn, at=None) for turn in turns)
