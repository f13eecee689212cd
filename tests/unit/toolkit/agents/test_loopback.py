"""The adapter as the platform's own client meets it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import msgspec
import pytest
from tests.unit.toolkit.agents.orders import an_add, searched

from aml.contracts.participant import CallLimits, ParticipantTarget
from aml.contracts.release import RetryPolicy
from aml.runtime.participant import HttpRefused, ParticipantClient, ParticipantError
from aml.toolkit.agents import Agent, as_agent
from aml.toolkit.agents.demands import Demands, agree
from aml.toolkit.agents.history_form import PlainHistory
from aml.toolkit.agents.injected import Injected
from aml.toolkit.agents.loopback import Loopback, serve_loopback


@asynccontextmanager
async def met(given: Any, *, seconds: float = 30.0) -> AsyncIterator[tuple[ParticipantClient, Loopback]]:
    agent = as_agent(given)
    assert isinstance(agent, Agent)
    demands = Demands()
    way = Injected(agent, agree(agent, demands), demands, PlainHistory(), lambda user, query: None, seconds=seconds)
    async with serve_loopback(way) as loopback:
        target = ParticipantTarget(add_url=f"{loopback.base_url}/add", search_url=f"{loopback.base_url}/search")
        client = ParticipantClient(
            target,
            secret=None,
            policy=RetryPolicy(attempts=2, base_seconds=0.001, cap_seconds=0.001),
            allow_private=True,
            chance=lambda: 0.5,
            limits=CallLimits(max_response_bytes=262_144),
            schemes=("http",),
        )
        try:
            yield client, loopback
        finally:
            await client.close()


async def test_add_and_search_keep_the_contract() -> None:
    async with met(lambda message: f"Échο: {len(message) > 0} 茶 😀") as (client, _):
        await client.add(an_add("c0", "My bike is blue.", at=1_741_078_800_000))
        found = await client.search(searched("colour?"))

    assert [memory.content for memory in found.memories] == ["Échο: True 茶 😀"]


async def test_health_needs_nothing() -> None:
    async with met(lambda message: message) as (_, loopback), httpx.AsyncClient(trust_env=False) as http:
        answer = await http.get(f"{loopback.base_url}/health")

    assert answer.status_code == 200


async def test_an_agent_that_raises_is_a_failed_call_whose_words_stay_here() -> None:
    def broken(message: str) -> str:
        raise ValueError("the key is sk-4711")

    async with met(broken) as (client, loopback), httpx.AsyncClient(trust_env=False) as http:
        with pytest.raises(HttpRefused) as failed:
            await client.search(searched("colour?"))
        body = msgspec.json.encode(searched("colour?"))
        answer = await http.post(f"{loopback.base_url}/search", content=body)

    assert failed.value.calls == 2
    assert (answer.status_code, answer.json()) == (500, {"error": "the agent failed"})
    assert "sk-4711" not in str(failed.value)
    assert loopback.failure("story", "colour?") == "the agent raised ValueError: the key is sk-4711"
    assert loopback.failure("story", "another?") is None


async def test_a_megabyte_is_refused_before_it_breaks_the_contract() -> None:
    async with met(lambda message: "and so on " * 100_000) as (client, loopback):
        with pytest.raises(HttpRefused):
            await client.search(searched("colour?"))

    assert "at most 262,144 are read" in (loopback.failure("story", "colour?") or "")


async def test_what_is_no_text_is_said_so() -> None:
    async with met(lambda message: ["blue"]) as (client, loopback):
        with pytest.raises(HttpRefused):
            await client.search(searched("colour?"))

    assert "answered with 'list'" in (loopback.failure("story", "colour?") or "")


async def test_a_text_that_is_no_unicode_fails_and_is_not_mended() -> None:
    async with met(lambda message: "blue \ud800") as (client, loopback):
        with pytest.raises(HttpRefused):
            await client.search(searched("colour?"))

    assert "UnicodeEncodeError" in (loopback.failure("story", "colour?") or "")


async def test_a_slow_agent_is_timed_out_and_asked_no_more_than_twice() -> None:
    asked: list[str] = []

    async def slow(message: str) -> str:
        asked.append(message)
        await asyncio.sleep(30)
        return message

    async with met(slow, seconds=0.02) as (client, loopback):
        for _ in range(2):
            with pytest.raises(ParticipantError):
                await client.search(searched("colour?"))

    assert len(asked) == 2
    assert loopback.failure("story", "colour?") == "the agent gave no answer within 0.02 s"


async def test_an_agents_own_timeout_is_a_failure_as_any_other() -> None:
    async def gave_up(message: str) -> str:
        raise TimeoutError("the model slept")

    async with met(gave_up) as (client, loopback):
        with pytest.raises(HttpRefused):
            await client.search(searched("colour?"))

    assert loopback.failure("story", "colour?") == "the agent raised TimeoutError: the model slept"


class _OwnError(BaseException):
    pass


@pytest.mark.parametrize("raised", [SystemExit(3), _OwnError("odd"), asyncio.CancelledError(), StopIteration(1)])
@pytest.mark.parametrize("blocks", [True, False])
async def test_whatever_an_agent_raises_is_a_failed_call_and_ends_nothing_else(
    raised: BaseException, blocks: bool
) -> None:
    def broken(message: str) -> str:
        raise raised

    async def broken_too(message: str) -> str:
        raise raised

    async with met(broken if blocks else broken_too) as (client, loopback):
        with pytest.raises(HttpRefused):
            await client.search(searched("colour?"))

    assert (loopback.failure("story", "colour?") or "").startswith("the agent raised ")


async def test_a_kind_of_text_is_a_text() -> None:
    class Marked(str):
        __slots__ = ()

    async with met(lambda message: Marked("blue")) as (client, _):
        found = await client.search(searched("colour?"))

    assert [memory.content for memory in found.memories] == ["blue"]
