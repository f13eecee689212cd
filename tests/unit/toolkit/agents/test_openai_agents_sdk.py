"""Against the real package, with its own scripted model."""

from typing import Any

import pytest
from agents import Agent as SdkAgent
from agents.testing import ModelCall, ModelStep, ScriptedModel, assistant_message

from aml.toolkit.agents.agent import HistoryTurn
from aml.toolkit.agents.errors import NotAnAgent
from aml.toolkit.agents.openai_agents_sdk import from_openai_agents

HISTORY = [
    HistoryTurn(role="user", content="My bike is blue.", session="s1"),
    HistoryTurn(role="assistant", content="Nice.", session="s1"),
]


def a_model(calls: int) -> ScriptedModel:
    def respond(call: ModelCall) -> Any:
        return [assistant_message(f"{len(call.input)} items")]

    return ScriptedModel([ModelStep.respond(respond) for _ in range(calls)])


async def test_a_session_is_the_list_of_its_items() -> None:
    model = a_model(3)
    agent = from_openai_agents(SdkAgent(name="clerk", instructions="Be brief.", model=model))
    await agent.inject_history(HISTORY)

    assert await agent.ask("Which colour?") == "3 items"
    assert await agent.ask("Sure?") == "5 items"
    await agent.reset_session()
    assert await agent.ask("Which colour?") == "1 items"
    assert model.calls[0].system_instructions == "Be brief."
    assert agent.name == "clerk"
    model.assert_complete()


async def test_the_sampling_reaches_the_model_and_the_forks() -> None:
    model = a_model(1)
    agent = from_openai_agents(SdkAgent(name="clerk", model=model))

    assert await agent.set_sampling(0.25, 7) == "sent_unverified"
    await agent.fork().ask("?")

    settings = model.calls[0].model_settings
    assert settings.temperature == 0.25
    assert settings.extra_args == {"seed": 7}


async def test_a_fork_has_heard_nothing() -> None:
    agent = from_openai_agents(SdkAgent(name="clerk", model=a_model(1)))
    await agent.inject_history(HISTORY)

    assert await agent.fork().ask("?") == "1 items"


def test_anything_else_is_refused() -> None:
    with pytest.raises(NotAnAgent, match=r"agents\.Agent"):
        from_openai_agents(object())
