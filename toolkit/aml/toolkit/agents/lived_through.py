"""Lived-through sessions: the agent is told each of the user's turns and answers it, and its session is reset between sessions.

What the story's assistant said is left out, since the agent's own replies stand there. An agent that can be forked has one
fork a user, which lives as the Adds come. One that can only forget is shared: it lives a user's sessions when that user's
first question comes, and again when somebody else was asked in between.
"""

import asyncio
from collections import defaultdict
from typing import Any

from aml.contracts.participant import AddRequest, SearchRequest

from .agent import Agent, HistoryTurn
from .attendance import said
from .demands import Demands, Terms
from .fresh_agent import tell_sampling
from .history_form import HistoryForm
from .in_time import ANSWER_SECONDS, in_time
from .injected import AskedAt, timed
from .received import turns_of


class _Life:
    """How far one user's story was lived."""

    def __init__(self) -> None:
        self.turns: list[HistoryTurn] = []
        self.lived = 0
        self.lock = asyncio.Lock()
        self.agent: Agent | None = None


class LivedThrough:
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
        """`seconds` are for each of the agent's answers, in its sessions as well."""
        self._agent = agent
        self._terms = terms
        self._demands = demands
        self._form = form
        self._asked_at = asked_at
        self._seconds = seconds
        self._forks = "fork" in agent.abilities
        self._at_once = asyncio.Semaphore(agent.max_concurrency if self._forks else 1)
        self._lives: dict[str, _Life] = defaultdict(_Life)
        self._done: set[str] = set()
        self._current: str | None = None
        """Whose story the shared agent knows."""

    async def add(self, request: AddRequest) -> None:
        """May end in the middle of a request; its repetition goes on from there."""
        life = self._lives[request.user_id]
        async with life.lock:
            if request.request_id not in self._done:
                life.turns += turns_of(request)
                self._done.add(request.request_id)
            if self._forks:
                async with self._at_once:
                    await self._live(await self._own(life), life)

    async def search(self, request: SearchRequest) -> list[dict[str, Any]]:
        query, life = str(request.query), self._lives[request.user_id]
        asked_at = self._asked_at(request.user_id, query)
        async with life.lock, self._at_once:
            agent = await self._own(life) if self._forks else await self._shared(request.user_id, life)
            async with in_time(self._seconds):
                await agent.reset_session()
                question = self._form.question(query, asked_at)
                return said(await agent.ask(question, at=asked_at if self._terms.instants else None))

    async def aclose(self) -> None:
        for life in self._lives.values():
            if life.agent is not None:
                await life.agent.aclose()
        await self._agent.aclose()

    async def _own(self, life: _Life) -> Agent:
        if life.agent is None:
            fork = self._agent.fork()
            await tell_sampling(fork, self._demands)
            life.agent = fork
        return life.agent

    async def _shared(self, user: str, life: _Life) -> Agent:
        if self._current != user:
            self._current = None
            await self._agent.forget()
            life.lived = 0
            await self._live(self._agent, life)
            self._current = user
        return self._agent

    async def _live(self, agent: Agent, life: _Life) -> None:
        told = timed(self._form.chat([turn for turn in life.turns if turn.role == "user"]), self._terms)
        while life.lived < len(told):
            turn = told[life.lived]
            async with in_time(self._seconds):
                if life.lived == 0 or told[life.lived - 1].session != turn.session:
                    await agent.reset_session()
                await agent.ask(turn.content, at=turn.at)
            life.lived += 1
