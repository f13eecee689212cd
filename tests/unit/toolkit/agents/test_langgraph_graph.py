"""Against the real package: a graph over messages, with and without a checkpointer."""

from typing import Any

import pytest
from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph

from aml.toolkit.agents.agent import HistoryTurn
from aml.toolkit.agents.errors import AgentFailed, NotAnAgent
from aml.toolkit.agents.langgraph_graph import from_langgraph, text_of

HISTORY = [
    HistoryTurn(role="user", content="My bike is blue.", session="s1"),
    HistoryTurn(role="assistant", content="Nice.", session="s1"),
]


def a_graph(checkpointer: Any = None, users: list[str] | None = None) -> Any:
    def say(state: MessagesState, config: RunnableConfig) -> dict[str, Any]:
        if users is not None:
            users.append(config["configurable"]["user_id"])
        heard = " | ".join(str(message.content) for message in state["messages"])
        return {"messages": [{"role": "assistant", "content": heard}]}

    builder = StateGraph(MessagesState)
    builder.add_node("say", say)
    builder.add_edge(START, "say")
    builder.add_edge("say", END)
    return builder.compile(checkpointer=checkpointer)


@pytest.mark.parametrize("keeps", [False, True], ids=["bare", "checkpointed"])
async def test_a_thread_is_a_session(keeps: bool) -> None:
    agent = from_langgraph(a_graph(InMemorySaver() if keeps else None))
    await agent.inject_history(HISTORY)

    assert await agent.ask("Which colour?") == "My bike is blue. | Nice. | Which colour?"
    assert (await agent.ask("Sure?") or "").endswith("Which colour? | Sure?")
    await agent.reset_session()
    assert await agent.ask("Which colour?") == "Which colour?"


@pytest.mark.parametrize("keeps", [False, True], ids=["bare", "checkpointed"])
async def test_a_history_is_all_that_the_session_has_seen(keeps: bool) -> None:
    agent = from_langgraph(a_graph(InMemorySaver() if keeps else None))
    await agent.ask("Something else.")

    await agent.inject_history(HISTORY)

    assert await agent.ask("?") == "My bike is blue. | Nice. | ?"


async def test_a_graph_around_a_chat_model_answers_with_its_text() -> None:
    model = FakeListChatModel(responses=["Blue.", "Still blue."])

    async def call(state: MessagesState) -> dict[str, Any]:
        return {"messages": [await model.ainvoke(state["messages"])]}

    builder = StateGraph(MessagesState)
    builder.add_node("call", call)
    builder.add_edge(START, "call")
    agent = from_langgraph(builder.compile(checkpointer=InMemorySaver()))
    await agent.inject_history(HISTORY)

    assert [await agent.ask("Which colour?"), await agent.ask("Sure?")] == ["Blue.", "Still blue."]


async def test_a_fork_is_another_thread() -> None:
    agent = from_langgraph(a_graph(InMemorySaver()), name="mine")
    await agent.inject_history(HISTORY)

    fork = agent.fork()

    assert await fork.ask("?") == "?"
    assert fork.name == "mine"


async def test_a_fork_and_who_forgot_is_another_user_to_the_graphs_store() -> None:
    users: list[str] = []
    agent = from_langgraph(a_graph(users=users))

    await agent.ask("a")
    await agent.reset_session()
    await agent.ask("b")
    await agent.fork().ask("c")
    await agent.forget()
    await agent.ask("d")

    assert users[0] == users[1]
    assert len({users[0], users[2], users[3]}) == 3


def test_what_is_not_compiled_is_refused() -> None:
    with pytest.raises(NotAnAgent, match="compile"):
        from_langgraph(StateGraph(MessagesState))


def test_blocks_of_content_are_joined() -> None:
    assert text_of([{"type": "text", "text": "a"}, "b", {"type": "image"}]) == "ab"
    with pytest.raises(AgentFailed):
        text_of(3)
