from typing import Any

import pytest

from aml.toolkit.agents import AgentCannot, as_agent, from_memory
from aml.toolkit.agents.agent import Agent
from aml.toolkit.longmemeval.errors import OptionInvalid
from aml.toolkit.longmemeval.options import LongMemEvalOptions
from aml.toolkit.longmemeval.system_demands import demands_of, require_able


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
