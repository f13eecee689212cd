import asyncio
from pathlib import Path
from typing import Any

import pytest

from aml.toolkit.agents import AgentCannot, NotAnAgent, from_memory
from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.suite_run import suite as module
from aml.toolkit.suite_run.errors import InsideALoop
from aml.toolkit.suite_run.suite import Suite
from aml.toolkit.suites.errors import UnknownPreset
from aml.toolkit.suites.presets import PRESETS


def agent(message: str) -> str:
    raise AssertionError("asked before it was agreed that it can")


@pytest.fixture(autouse=True)
def _nothing_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    async def perform(*given: Any, **named: Any) -> None:
        raise AssertionError("a stack would have been started")

    monkeypatch.setattr(module, "perform_suite", perform)


def test_there_is_a_suite_a_preset() -> None:
    assert [suite.preset for suite in Suite] == list(PRESETS.values())
    assert Suite.named("Overflow") is Suite.OVERFLOW
    with pytest.raises(UnknownPreset):
        Suite.named("huge")


@pytest.mark.parametrize(
    ("given", "options", "error", "said"),
    [
        (agent, {"repeats": 0}, WrongUsage, "repeats"),
        (agent, {"limit": 0}, WrongUsage, "limit"),
        (agent, {"limit": 1.5}, WrongUsage, "limit"),
        (agent, {"limit": "2"}, WrongUsage, "limit"),
        (agent, {"seed": "a"}, WrongUsage, "seed"),
        (agent, {"language": "de"}, WrongUsage, "language: is 'de'; give one of en, zh"),
        (agent, {"mode": "lively"}, WrongUsage, "mode"),
        (agent, {"history": "x"}, WrongUsage, "history"),
        (agent, {"dates": "x"}, WrongUsage, "dates"),
        (agent, {"answer_seconds": float("inf")}, WrongUsage, "answer_seconds"),
        (agent, {"price_per_million_tokens": -3}, WrongUsage, "price"),
        (agent, {"price_per_million_tokens": float("nan")}, WrongUsage, "price"),
        (agent, {"answer_seconds": 0}, WrongUsage, "answer_seconds"),
        (agent, {"answer_seconds": float("nan")}, WrongUsage, "answer_seconds"),
        (agent, {"stack": "http://portal"}, WrongUsage, "operator_key"),
        (agent, {"temperature": 0.0}, AgentCannot, "temperature"),
        (agent, {"history": "chat"}, AgentCannot, "turn by turn"),
        (agent, {"dates": "instants"}, AgentCannot, "timestamps"),
        (agent, {"mode": "live"}, AgentCannot, "new session"),
        (object(), {}, NotAnAgent, "ask"),
    ],
)
async def test_what_cannot_be_is_refused_before_anything_starts(
    given: Any, options: dict[str, Any], error: type[Exception], said: str, tmp_path: Path
) -> None:
    where: dict[str, Any] = {} if "stack" in options else {"home": tmp_path}

    with pytest.raises(error, match=said):
        await Suite.QUICK.run(given, **where, **options)


async def test_a_memory_is_told_neither_sampling_nor_a_life() -> None:
    from aml.toolkit.agents.demands import Demands
    from aml.toolkit.suite_run.agent_bundle import AskedQuestions
    from aml.toolkit.suite_run.run_bundle import RunSettings, attend, release_for

    memory = from_memory(lambda *given: None, lambda *given: [])

    assert release_for(memory, RunSettings()) == "toolkit-memory"
    for demands in (Demands(mode="live"), Demands(temperature=0.0)):
        with pytest.raises(AgentCannot):
            await attend(memory, AskedQuestions({}, {}), RunSettings(demands=demands))


def test_the_synchronous_twin_waits_where_no_loop_runs() -> None:
    with pytest.raises(NotAnAgent):
        Suite.QUICK.run_sync(object())


async def test_the_synchronous_twin_says_what_to_do_where_a_loop_runs() -> None:
    assert asyncio.get_running_loop()

    with pytest.raises(InsideALoop, match=r"await Suite\.QUICK\.run\("):
        Suite.QUICK.run_sync(agent)
