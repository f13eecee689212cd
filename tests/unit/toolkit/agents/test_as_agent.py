from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest

from aml.toolkit.agents import Agent, AgentFactory, AgentFailed, HistoryTurn, NotAnAgent, as_agent, from_memory
from aml.toolkit.agents.wrapped_agent import WrappedAgent

TURN = HistoryTurn(role="user", content="My bike is blue.", session="s1")
NOON = datetime(2025, 5, 2, 12, tzinfo=UTC)


class Chatty:
    """Sync, with everything."""

    name = "chatty"
    model = "chatty-1"

    def __init__(self) -> None:
        self.seen: list[Any] = []

    def ask(self, message: str, *, at: datetime | None = None) -> str:
        self.seen.append(("ask", message, at))
        return f"to {message}"

    def reset_session(self) -> None:
        self.seen.append("reset")

    def inject_history(self, turns: Sequence[HistoryTurn]) -> None:
        self.seen.append(("inject", turns))

    def set_sampling(self, temperature: float | None, seed: int | None) -> str:
        self.seen.append(("sampling", temperature, seed))
        return "sent_and_echoed"

    def forget(self) -> None:
        self.seen.append("forget")

    def fork(self) -> "Chatty":
        return Chatty()


def agent_of(given: Any, **options: Any) -> Agent:
    found = as_agent(given, **options)
    assert isinstance(found, Agent)
    return found


async def test_a_sync_callable_is_asked() -> None:
    agent = agent_of(lambda message: message.upper())

    assert await agent.ask("hello") == "HELLO"
    assert agent.abilities == frozenset()
    assert agent.max_concurrency == 1
    await agent.aclose()


async def test_an_async_callable_is_asked_on_the_running_loop() -> None:
    async def shout(message: str) -> str:
        return message.upper()

    agent = agent_of(shout)

    assert await agent.ask("hello") == "HELLO"
    assert agent.name == "shout"


async def test_a_callable_whose_call_gives_a_coroutine_is_awaited() -> None:
    async def shout(prefix: str, message: str) -> str:
        return prefix + message.upper()

    agent = agent_of(partial(shout, "> "))

    assert await agent.ask("hello") == "> HELLO"
    await agent.aclose()


async def test_an_object_with_an_async_call_is_asked() -> None:
    class Called:
        async def __call__(self, message: str) -> str:
            return message[::-1]

    agent = agent_of(Called())

    assert await agent.ask("abc") == "cba"
    assert agent.name == "Called"


async def test_an_object_does_what_its_methods_say() -> None:
    chatty = Chatty()
    agent = agent_of(chatty)

    assert agent.abilities == {"inject_history", "reset_session", "forget", "fork", "timestamps", "set_sampling"}
    assert (agent.name, agent.model) == ("chatty", "chatty-1")
    assert await agent.set_sampling(0.5, 3) == "sent_and_echoed"
    await agent.forget()
    await agent.reset_session()
    await agent.inject_history([TURN])
    assert await agent.ask("hi", at=NOON) == "to hi"
    assert chatty.seen == [("sampling", 0.5, 3), "forget", "reset", ("inject", (TURN,)), ("ask", "hi", NOON)]
    await agent.aclose()


async def test_a_fork_is_another_object_of_the_same_name() -> None:
    chatty = Chatty()
    fork = agent_of(chatty, name="mine").fork()

    assert await fork.ask("hi") == "to hi"
    assert fork.name == "mine"
    assert chatty.seen == []
    await fork.aclose()


async def test_a_callable_that_takes_history_is_given_it() -> None:
    def recall(message: str, history: Sequence[HistoryTurn]) -> str:
        return f"{len(history)} turns"

    agent = agent_of(recall)

    assert agent.abilities == {"inject_history", "reset_session"}
    await agent.inject_history([TURN, TURN])
    assert await agent.ask("?") == "2 turns"
    await agent.reset_session()
    assert await agent.ask("?") == "0 turns"
    await agent.aclose()


async def test_a_sync_agent_is_always_called_in_one_thread() -> None:
    """SQLite and its like insist on it."""
    import threading

    agent = agent_of(lambda message: str(threading.get_ident()))

    assert await agent.ask("a") == await agent.ask("b") != str(threading.get_ident())
    await agent.aclose()


async def test_a_factory_makes_one_for_each_fork() -> None:
    made: list[Chatty] = []

    def make() -> Chatty:
        made.append(Chatty())
        return made[-1]

    agent = agent_of(AgentFactory(make=make, name="many", max_concurrency=7))

    assert (agent.name, agent.max_concurrency) == ("many", 7)
    assert await agent.fork().fork().ask("hi") == "to hi"
    assert len(made) == 3


async def test_what_is_no_text_is_a_failure_and_not_an_answer() -> None:
    agent = agent_of(lambda message: {"answer": message})

    with pytest.raises(AgentFailed, match="'dict'; an answer is a text"):
        await agent.ask("hi")
    await agent.aclose()


@pytest.mark.parametrize(
    ("said", "outcome"),
    [(None, "sent_unverified"), (False, "declined"), ("rejected", "rejected"), ("odd", "sent_unverified")],
)
async def test_what_became_of_the_sampling_is_the_agents_word(said: Any, outcome: str) -> None:
    class Sampled:
        def ask(self, message: str) -> str:
            return message

        def set_sampling(self, temperature: float | None, seed: int | None) -> Any:
            return said

    agent = agent_of(Sampled())

    assert await agent.set_sampling(0.0, None) == outcome
    await agent.aclose()


def test_a_bare_callable_may_say_that_it_is_stateless() -> None:
    def quick(message: str) -> str:
        return message

    agent = agent_of(quick, max_concurrency=8)

    assert agent.max_concurrency == 8
    assert "stateless" in agent.abilities


def test_an_object_with_one_conversation_cannot_hold_several() -> None:
    class Single:
        max_concurrency = 4

        def ask(self, message: str) -> str:
            return message

        def reset_session(self) -> None: ...

    with pytest.raises(NotAnAgent, match=r"max_concurrency is 4.*fork\(\)"):
        as_agent(Single())


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (3, "cannot be called"),
        (Chatty, "Chatty is a class; give an instance"),
        (lambda: "hi", "takes no message"),
        (lambda message, tone: "hi", "needs tone beside the message"),
        (AgentFactory(make=lambda: None), "cannot be called"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_the_reason(given: Any, problem: str) -> None:
    with pytest.raises(NotAnAgent, match=problem):
        as_agent(given)


@pytest.mark.parametrize("wrong", [0, -1, "2"])
def test_a_concurrency_below_one_is_refused(wrong: Any) -> None:
    with pytest.raises(NotAnAgent, match="max_concurrency"):
        WrappedAgent(lambda message: message, max_concurrency=wrong)


def test_an_agent_stays_itself() -> None:
    agent = as_agent(Chatty())
    memory = from_memory(lambda *given: None, lambda *given: [])

    assert as_agent(agent) is agent
    assert as_agent(memory) is memory
