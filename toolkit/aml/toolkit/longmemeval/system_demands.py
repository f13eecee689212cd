"""What a run's options demand of the system that is asked, and who cannot give it."""

from aml.toolkit.agents.agent import Agent
from aml.toolkit.agents.demands import Dates, Demands, History, agree
from aml.toolkit.agents.memory_system import MemorySystem

from .errors import OptionInvalid
from .options import LongMemEvalOptions

System = Agent | MemorySystem

_USUAL = LongMemEvalOptions()
_FOR_AGENTS = (
    "history_injection_mode",
    "preserve_session_boundaries",
    "include_timestamps",
    "synthetic_turn_marker",
    "temporal_grounding",
    "answer_temperature",
    "answer_seed",
)


def require_able(system: System, options: LongMemEvalOptions) -> None:
    """Raises `AgentCannot` or `OptionInvalid` for what the system cannot do."""
    if isinstance(system, Agent):
        agree(system, demands_of(options))
        if options.evidence_capture != "none":
            raise OptionInvalid(
                "evidence_capture", f"is for memories; of {system.name} the answer alone is seen; leave it out"
            )
        return
    for name in _FOR_AGENTS:
        if getattr(options, name) != getattr(_USUAL, name):
            told = "a memory is told sessions and times as the contract has them, and its release answers"
            raise OptionInvalid(name, f"is for agents, and {told}; leave it out")


def demands_of(options: LongMemEvalOptions) -> Demands:
    """Turns with times or marks are turns: where the run gives these, a history in one text will not do."""
    history: dict[str, History] = {"auto": "auto", "text_blob": "text", "structured_chat_history": "chat"}
    dates: dict[str, Dates] = {"none": "text", "timestamps_and_text": "both", "timestamps_only": "instants"}
    by_turns = options.temporal_grounding != "none" or options.synthetic_turn_marker is not None
    return Demands(
        history="chat" if by_turns else history[options.history_injection_mode],
        dates=dates[options.temporal_grounding],
    )
