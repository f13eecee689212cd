"""An agent of the OpenAI Agents SDK. Its session is the list of input items of the conversation so far."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from agents import Agent as SdkAgent
from agents import ModelSettings, RunConfig, Runner

from .agent import Agent, HistoryTurn, SamplingOutcome
from .errors import NotAnAgent


class OpenAIAgentsAgent(Agent):
    def __init__(
        self,
        agent: SdkAgent[Any],
        *,
        context: Any = None,
        max_turns: int = 10,
        max_concurrency: int = 4,
        tracing: bool = False,
    ) -> None:
        """`tracing` sends each run to the SDK's trace exporters; an evaluation does not unless asked to."""
        if not isinstance(agent, SdkAgent):
            raise NotAnAgent(agent, "it is no agents.Agent")
        self.name = agent.name
        self.model = agent.model if isinstance(agent.model, str) else None
        self.max_concurrency = max_concurrency
        self.abilities = frozenset({"inject_history", "reset_session", "forget", "fork", "set_sampling"})
        self._agent = agent
        self._context = context
        self._max_turns = max_turns
        self._tracing = tracing
        self._settings: ModelSettings | None = None
        self._items: list[Any] = []

    async def ask(self, message: str, *, at: datetime | None = None) -> str | None:
        del at
        config = RunConfig(model_settings=self._settings, tracing_disabled=not self._tracing)
        result = await Runner.run(
            self._agent,
            [*self._items, {"role": "user", "content": message}],
            context=self._context,
            max_turns=self._max_turns,
            run_config=config,
        )
        self._items = list(result.to_input_list())
        answer = result.final_output
        return answer if answer is None or isinstance(answer, str) else str(answer)

    async def reset_session(self) -> None:
        self._items = []

    async def inject_history(self, turns: Sequence[HistoryTurn]) -> None:
        self._items = [{"role": turn.role, "content": turn.content} for turn in turns]

    async def forget(self) -> None:
        self._items = []

    def fork(self) -> "OpenAIAgentsAgent":
        fork = OpenAIAgentsAgent(
            self._agent,
            context=self._context,
            max_turns=self._max_turns,
            max_concurrency=self.max_concurrency,
            tracing=self._tracing,
        )
        fork._settings = self._settings
        return fork

    async def set_sampling(self, temperature: float | None, seed: int | None) -> SamplingOutcome:
        extra = None if seed is None else {"seed": seed}
        self._settings = ModelSettings(temperature=temperature, extra_args=extra)
        return "sent_unverified"


def from_openai_agents(agent: Any, **options: Any) -> OpenAIAgentsAgent:
    """Options as of `OpenAIAgentsAgent`. Raises `NotAnAgent`."""
    return OpenAIAgentsAgent(agent, **options)
