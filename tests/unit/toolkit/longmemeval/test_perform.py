from pathlib import Path
from typing import Any

import pytest

from aml.toolkit.agents import AgentCannot, as_agent, from_memory
from aml.toolkit.agents.agent import Agent
from aml.toolkit.longmemeval.errors import OptionInvalid
from aml.toolkit.longmemeval.options import LongMemEvalOptions
from aml.toolkit.longmemeval.perform import demands_of, prepare, require_able
from aml.toolkit.suite_run.platform_access import RemoteStack


def plain(message: str) -> str:
    return message


def timed(message: str, history: Any = (), at: Any = None) -> str:
    return message


MEMORY = from_memory(lambda *_: None, lambda *_: [])
GROUNDED = LongMemEvalOptions(temporal_grounding="timestamps_only")


def system(given: Any) -> Agent:
    found = as_agent(given)
    assert isinstance(found, Agent)
    return found


@pytest.mark.parametrize(
    ("options", "history", "dates"),
    [
        ({}, "auto", "text"),
        ({"history_injection_mode": "text_blob"}, "text", "text"),
        ({"history_injection_mode": "structured_chat_history"}, "chat", "text"),
        ({"temporal_grounding": "timestamps_and_text"}, "chat", "both"),
        ({"temporal_grounding": "timestamps_only"}, "chat", "instants"),
    ],
)
def test_what_the_options_want_of_an_agent(options: dict[str, Any], history: str, dates: str) -> None:
    demands = demands_of(LongMemEvalOptions(**options))
    assert (demands.mode, demands.history, demands.dates) == ("inject", history, dates)


def test_an_agent_that_cannot_take_timestamps_is_refused_before_its_first_call() -> None:
    with pytest.raises(AgentCannot, match="timestamps"):
        require_able(system(plain), GROUNDED)
    require_able(system(timed), GROUNDED)


def test_turns_are_for_agents_that_take_them() -> None:
    with pytest.raises(AgentCannot, match="turn by turn"):
        require_able(system(plain), LongMemEvalOptions(history_injection_mode="structured_chat_history"))
    require_able(system(plain), LongMemEvalOptions(history_injection_mode="text_blob"))


@pytest.mark.parametrize(
    "options",
    [
        {"answer_seed": 1},
        {"answer_temperature": 0.0},
        {"synthetic_turn_marker": "[o]"},
        {"include_timestamps": False},
        {"temporal_grounding": "timestamps_only"},
    ],
)
def test_a_memory_has_no_answer_to_pin_and_no_turns_of_ours(options: dict[str, Any]) -> None:
    with pytest.raises(OptionInvalid, match="for agents") as caught:
        require_able(MEMORY, LongMemEvalOptions(**options))
    assert caught.value.option == next(iter(options))


def test_an_agent_shows_no_retrieval_and_a_marker_needs_turns() -> None:
    with pytest.raises(OptionInvalid, match="evidence_capture"):
        require_able(system(plain), LongMemEvalOptions(evidence_capture="references"))
    require_able(MEMORY, LongMemEvalOptions(evidence_capture="references"))
    with pytest.raises(AgentCannot, match="turn by turn"):
        require_able(system(plain), LongMemEvalOptions(synthetic_turn_marker="[o]"))


def test_the_release_follows_from_the_system_and_the_judge_s_options(tmp_path: Path) -> None:
    agent = system(plain)
    assert prepare(tmp_path, [agent, MEMORY], LongMemEvalOptions(), None).release_ids == ("toolkit", "toolkit-memory")
    assert prepare(tmp_path, [agent], LongMemEvalOptions(), "my-own").release_ids == ("my-own",)
    ground = prepare(tmp_path, [agent], LongMemEvalOptions(max_judge_retries=0), None)
    (release_id,) = ground.release_ids
    assert release_id.startswith("toolkit-openai-lme-")
    assert ground.derived[release_id] == tmp_path / "releases" / release_id
    assert ground.releases[release_id].release.judge.readings == 1


def test_another_judge_than_the_release_s_needs_a_release_that_is_known_here(tmp_path: Path) -> None:
    options = LongMemEvalOptions(judge_temperature=0.3)
    with pytest.raises(OptionInvalid, match="my-own"):
        prepare(tmp_path, [system(plain)], options, "my-own")
    with pytest.raises(OptionInvalid, match="without one"):
        prepare(tmp_path, [MEMORY], options, None)
    remote = RemoteStack(url="http://localhost:1", operator_key="k", datasets=tmp_path)
    with pytest.raises(OptionInvalid, match="operator"):
        prepare(remote, [system(plain)], options, None)
