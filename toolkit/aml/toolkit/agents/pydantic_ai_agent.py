"""An agent of Pydantic AI. Its session is the message history of the conversation so far."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pydantic_ai import Agent as PydanticAgent
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.settings import ModelSettings

from .agent import Agent, HistoryTurn, SamplingOutcome
from .errors import NotAnAgent


class PydanticAIAgent(Agent):
    def __init__(
        self, agent: "PydanticAgent[Any, Any]", *, deps: Any = None, name: str | None = None, max_concurrency: int = 4
    ) -> None:
        if not isinstance(agent, PydanticAgent):
            raise NotAnAgent(agent, "it is no pydantic_ai.Agent")
        self.name = name or agent.name or "pydantic-ai"
        self.model = getattr(agent.model, "model_name", None)
        self.max_concurrency = max_concurrency
        self.abilities = frozenset({"inject_history", "reset_session", "forget", "fork", "set_sampling"})
        self._agent = agent
        self._deps = deps
        self._settings: ModelSettings | None = None
        self._messages: list[ModelMessage] = []

    async def ask(self, message: str, *, at: datetime | None = None) -> str | None:
        del at
        result = await self._agent.run(
            message, message_history=self._messages, deps=self._deps, model_settings=self._settings
        )
        self._messages = list(result.all_messages())
        answer = result.output
        return answer if answer is None or isinstance(answer, str) else str(answer)

    async def reset_session(self) -> None:
        self._messages = []

    async def inject_history(self, turns: Sequence[HistoryTurn]) -> None:
        self._messages = [_message(turn) for turn in turns]

    async def forget(self) -> None:
        self._messages = []

    def fork(self) -> "PydanticAIAgent":
        fork = PydanticAIAgent(self._agent, deps=self._deps, name=self.name, max_concurrency=self.max_concurrency)
        fork._settings = self._settings
        return fork

    async def set_sampling(self, temperature: float | None, seed: int | None) -> SamplingOutcome:
        settings = ModelSettings()
        if temperature is not None:
            settings["temperature"] = temperature
        if seed is not None:
            settings["seed"] = seed
        self._settings = settings
        return "sent_unverified"


def from_pydantic_ai(agent: Any, **options: Any) -> PydanticAIAgent:
    """Options as of `PydanticAIAgent`. Raises `NotAnAgent`."""
    return PydanticAIAgent(agent, **options)


def _message(turn: HistoryTurn) -> ModelMessage:
    if turn.role != "user":
        return ModelResponse(parts=[TextPart(content=turn.content)])
    part = UserPromptPart(content=turn.content)
    return ModelRequest(parts=[part])
