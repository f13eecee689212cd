"""Suites as they are run: lived through, interrupted, beside each other, in Chinese, with memories and endpoints."""

import asyncio

import pytest
from tests.e2e.full_suite import LIMIT, SCRIPT, full
from tests.e2e.running_stack import RunningStack
from tests.factories.known_agents import (
    UNKNOWN,
    Amnesiac,
    Scripted,
    script_of,
)
from tests.factories.openai_stub import Messages, running_stub

from aml.toolkit import (
    AgentFactory,
    HistoryTurn,
    OpenAIChatAgent,
    RunProgress,
    Suite,
    can_remember,
    from_memory,
)
from aml.toolkit.evaluation.errors import WrongUsage

pytestmark = [pytest.mark.stack, pytest.mark.asyncio(loop_scope="session")]


class Diarist:
    """Lives through its sessions: what the user says is written down, and a session's end changes nothing."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.resets = 0

    def ask(self, message: str) -> str:
        asked = message.split(".) ", 1)[1] if message.startswith("(Today is ") else message
        if asked not in SCRIPT:
            self.heard.append(message)
            return "I see."
        told = "\n".join(self.heard)
        known = SCRIPT[asked]
        return known.key.answer if self.resets and all(text in told for text in known.evidence) else UNKNOWN

    def reset_session(self) -> None:
        self.resets += 1


async def test_sessions_can_be_lived_through(stack: RunningStack) -> None:
    result = await Suite.QUICK.run(
        AgentFactory(make=Diarist, max_concurrency=8), stack=stack.stack, limit=LIMIT, mode="live"
    )

    assert result.complete
    assert result.overall == 100.0
    assert result.provenance.history == "live"


async def test_who_breaks_down_while_living_is_unscored_for_that(stack: RunningStack) -> None:
    class Frail(Diarist):
        def ask(self, message: str) -> str:
            if message not in SCRIPT and "[" in message:
                raise OSError("no more paper")
            return super().ask(message)

    result = await Suite.QUICK.run(AgentFactory(make=Frail, max_concurrency=8), stack=stack.stack, limit=1, mode="live")

    assert result.unscored == result.planned > 0
    for question in result.questions:
        assert question.unscored is not None
        assert question.unscored.stage == "ingest"
        assert question.unscored.detail.endswith("the agent raised OSError: no more paper")


async def test_a_stack_at_an_address_is_used_with_its_key(stack: RunningStack) -> None:
    result = await Suite.QUICK.run(
        lambda message: UNKNOWN,
        stack=stack.info.portal,
        operator_key=stack.operator_key,
        datasets=stack.stack.layout.datasets,
        limit=1,
    )

    assert result.complete
    assert result.provenance.checkpoint is None, "whose log it is nobody here can say"


async def test_a_release_that_is_not_there_is_named(stack: RunningStack) -> None:
    with pytest.raises(WrongUsage, match=r"no release 'toolkit-9'; offered are .*toolkit"):
        await Suite.QUICK.run(lambda message: UNKNOWN, stack=stack.stack, release="toolkit-9", limit=1)


async def test_an_interrupted_run_is_cancelled_on_the_platform(stack: RunningStack) -> None:
    asked = asyncio.Event()
    seen: list[RunProgress] = []

    async def endless(message: str) -> str:
        asked.set()
        await asyncio.sleep(600)
        return message

    running = asyncio.create_task(Suite.QUICK.run(endless, stack=stack.stack, limit=1, on_progress=seen.append))
    await asyncio.wait_for(asked.wait(), 20)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running

    async with stack.platform() as platform:
        job = await platform.job(seen[-1].job_id)
    assert job.state == "cancelled"


async def test_users_of_one_stack_do_not_disturb_each_other(stack: RunningStack) -> None:
    perfect, amnesiac = await asyncio.gather(
        Suite.QUICK.run(AgentFactory(make=lambda: Scripted(SCRIPT)), stack=stack.stack, limit=LIMIT),
        Suite.QUICK.run(AgentFactory(make=lambda: Amnesiac(SCRIPT)), stack=stack.stack, limit=LIMIT),
    )

    assert perfect.overall == 100.0
    assert amnesiac.overall < 50.0


async def test_a_suite_in_chinese_is_asked_and_judged_in_chinese(stack: RunningStack) -> None:
    script = script_of("full", language="zh")

    perfect = await full(stack, lambda: Scripted(script), language="zh", limit=None)

    assert perfect.overall == 100.0, [question for question in perfect.questions if question.score != 100.0]
    assert perfect.provenance.language == "zh"


async def test_a_bare_memory_is_answered_from(stack: RunningStack) -> None:
    kept: dict[str, list[str]] = {}

    def add(turns: tuple[HistoryTurn, ...], user_id: str, session_id: str) -> None:
        kept.setdefault(user_id, []).extend(turn.content for turn in turns)

    def search(query: str, user_id: str, top_k: int) -> list[str]:
        words = set(query.lower().strip("?").split())
        return sorted(kept[user_id], key=lambda text: -len(words & set(text.lower().split())))[:top_k]

    result = await Suite.QUICK.run(from_memory(add, search, name="words"), stack=stack.stack, limit=LIMIT)

    assert result.complete
    assert 0 < result.overall < 100
    assert result.provenance.release_id == "toolkit-memory"
    assert result.agent == "words"


async def test_a_model_behind_an_endpoint_is_an_agent(stack: RunningStack) -> None:
    def reply(messages: Messages) -> str:
        scripted = Scripted(SCRIPT)
        told = [message for message in messages[:-1] if message["role"] != "system"]
        scripted.inject_history([HistoryTurn(role=each["role"], content=each["content"], session="s") for each in told])
        return scripted.ask(messages[-1]["content"]) or ""

    async with running_stub(reply=reply) as stub:
        agent = OpenAIChatAgent(stub.base_url, "stub-1")
        result = await Suite.QUICK.run(agent, stack=stack.stack, limit=LIMIT, temperature=0.0, answer_seed=7)

    assert result.overall == 100.0
    assert (result.agent, result.model) == ("stub-1", "stub-1")
    assert len(stub.requests) == result.planned, "one call of the model a question; the judge's is the release's"
    assert {(body["temperature"], body["seed"]) for body in stub.requests} == {(0.0, 7)}


async def test_one_fact_is_remembered_or_not(stack: RunningStack) -> None:
    def attentive(message: str) -> str:
        return "It is Python." if "My favourite language is Python" in message else UNKNOWN

    fact = "My favourite language is Python"

    assert await can_remember(attentive, fact, stack=stack.stack)
    forgotten = await can_remember(lambda message: UNKNOWN, fact, stack=stack.stack)
    assert not forgotten
    assert forgotten.answer == UNKNOWN
