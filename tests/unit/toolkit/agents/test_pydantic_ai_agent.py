"""Against the real package, with its function model."""

import pytest
from pydantic_ai import Agent as PydanticAgent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from aml.toolkit.agents.agent import HistoryTurn
from aml.toolkit.agents.errors import NotAnAgent
from aml.toolkit.agents.pydantic_ai_agent import from_pydantic_ai

HISTORY = [
    HistoryTurn(role="user", content="My bike is blue.", session="s1"),
    HistoryTurn(role="assistant", content="Nice.", session="s1"),
]


def heard(messages: list[ModelMessage]) -> list[str]:
    return [str(getattr(part, "content", "")) for message in messages for part in message.parts]


def an_agent(settings: list[object] | None = None) -> "PydanticAgent[None, str]":
    def respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        if settings is not None:
            settings.append(info.model_settings)
        return ModelResponse(parts=[TextPart(content=" | ".join(heard(messages)))])

    return PydanticAgent(FunctionModel(respond), name="clerk")


async def test_a_session_is_its_message_history() -> None:
    agent = from_pydantic_ai(an_agent())
    await agent.inject_history(HISTORY)

    assert await agent.ask("Which colour?") == "My bike is blue. | Nice. | Which colour?"
    assert (await agent.ask("Sure?") or "").endswith("Which colour? | Sure?")
    await agent.reset_session()
    assert await agent.ask("Which colour?") == "Which colour?"
    assert agent.name == "clerk"


async def test_the_sampling_reaches_the_model_and_the_forks() -> None:
    settings: list[object] = []
    agent = from_pydantic_ai(an_agent(settings))

    assert await agent.set_sampling(0.25, 7) == "sent_unverified"
    await agent.fork().ask("?")

    assert settings == [{"temperature": 0.25, "seed": 7}]


async def test_a_fork_has_heard_nothing() -> None:
    agent = from_pydantic_ai(an_agent())
    await agent.inject_history(HISTORY)

    assert await agent.fork().ask("?") == "?"


def test_anything_else_is_refused() -> None:
    with pytest.raises(NotAnAgent, match=r"pydantic_ai\.Agent"):
        from_pydantic_ai(object())
