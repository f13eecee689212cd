from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from tests.factories.openai_stub import (
    Fault,
    Messages,
    OpenAiStub,
    empty_choices,
    malformed_json,
    running_stub,
    server_error,
)

from aml.toolkit.agents.agent import HistoryTurn
from aml.toolkit.agents.errors import AgentFailed
from aml.toolkit.agents.openai_chat import OpenAIChatAgent

HISTORY = [
    HistoryTurn(role="user", content="My bike is blue.", session="s1"),
    HistoryTurn(role="assistant", content="Nice.", session="s1"),
]


def count(messages: Messages) -> str:
    return f"{len(messages)} messages"


@asynccontextmanager
async def an_agent(
    *faults: Fault, instructions: str | None = None
) -> AsyncIterator[tuple[OpenAIChatAgent, OpenAiStub]]:
    async with running_stub(*faults, reply=count) as stub:
        agent = OpenAIChatAgent(stub.base_url, "stub-1", api_key="sk-1", instructions=instructions)
        try:
            yield agent, stub
        finally:
            await agent.aclose()


async def test_a_session_is_what_was_said_in_it() -> None:
    async with an_agent() as (agent, stub):
        await agent.inject_history(HISTORY)
        assert await agent.ask("Which colour?") == "3 messages"
        assert await agent.ask("Sure?") == "5 messages"
        await agent.reset_session()
        assert await agent.ask("Which colour?") == "1 messages"

    first = stub.requests[0]
    assert first["model"] == "stub-1"
    assert [message["content"] for message in first["messages"]] == ["My bike is blue.", "Nice.", "Which colour?"]
    assert stub.keys == {"sk-1": 3}
    assert agent.system_fingerprints == {"fp_stub"}


async def test_instructions_stand_before_everything() -> None:
    async with an_agent(instructions="Be brief.") as (agent, stub):
        await agent.ask("Hello?")

    assert stub.requests[0]["messages"][0] == {"role": "system", "content": "Be brief."}


async def test_the_sampling_is_sent_and_said_to_be_unverified() -> None:
    async with an_agent() as (agent, stub):
        assert await agent.set_sampling(0.0, None) == "sent_unverified"
        await agent.ask("a")
        await agent.set_sampling(None, 4242)
        await agent.fork().ask("b")

    assert (stub.requests[0]["temperature"], "seed" in stub.requests[0]) == (0.0, False)
    assert (stub.requests[1]["seed"], "temperature" in stub.requests[1]) == (4242, False)


async def test_a_fork_has_a_session_of_its_own() -> None:
    async with an_agent() as (agent, _):
        await agent.inject_history(HISTORY)
        fork = agent.fork()
        assert await fork.ask("a") == "1 messages"
        await fork.aclose()
        assert await agent.ask("b") == "3 messages"


@pytest.mark.parametrize(
    ("fault", "problem"),
    [
        (Fault(status=400), "answered 400"),
        (server_error(), "answered 500"),
        (malformed_json(), "something else than a completion"),
        (empty_choices(), "something else than a completion"),
        (Fault(body=b"[]"), "something else than a completion"),
        (Fault(body=b'{"choices": [{"message": {"content": {"a": 1}}}]}'), "no text"),
        (Fault(drop=True), "failed"),
    ],
)
async def test_what_is_no_completion_is_a_failure_that_leaves_no_trace(fault: Fault, problem: str) -> None:
    async with an_agent(fault) as (agent, _):
        with pytest.raises(AgentFailed, match=problem):
            await agent.ask("a")
        assert await agent.ask("b") == "1 messages"


async def test_a_completion_without_content_is_no_answer() -> None:
    async with an_agent(Fault(body=b'{"choices": [{"message": {"content": null}}]}')) as (agent, _):
        assert await agent.ask("a") == ""
