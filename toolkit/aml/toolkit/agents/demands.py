"""What a run wants of an agent, and whether the agent can: decided before the first call. Pure."""

from typing import Literal

from msgspec import Struct

from .agent import Agent
from .errors import AgentCannot

Mode = Literal["inject", "live"]
"""inject: the agent is given its history. live: it is told each of the user's turns, session by session."""
History = Literal["auto", "text", "chat"]
Dates = Literal["auto", "text", "instants", "both", "none"]


class Demands(Struct, frozen=True, kw_only=True):
    mode: Mode = "inject"
    history: History = "auto"
    """text: in one message with the question. chat: turn by turn. auto: chat where the agent can."""
    dates: Dates = "auto"
    """text: days stand in the text. instants: turns and questions carry times. auto: text, and instants where the agent can."""
    temperature: float | None = None
    seed: int | None = None

    @property
    def samples(self) -> bool:
        return self.temperature is not None or self.seed is not None


class Terms(Struct, frozen=True, kw_only=True):
    """How the agent is met."""

    mode: Mode
    chat: bool
    dates_in_text: bool
    instants: bool


def agree(agent: Agent, demands: Demands) -> Terms:
    """Raises `AgentCannot`."""
    can = agent.abilities
    if demands.samples and "set_sampling" not in can:
        advice = "give it a method set_sampling(temperature, seed), or leave temperature and seed out"
        raise AgentCannot(agent.name, "be told a temperature or a seed", advice)
    if demands.dates in ("instants", "both") and "timestamps" not in can:
        advice = "let ask take at=…, or set supports_timestamps = True, or choose dates='text'"
        raise AgentCannot(agent.name, "take timestamps", advice)
    if demands.mode == "live":
        if demands.history == "chat":
            raise AgentCannot(
                agent.name, "be given a chat that it lives through", "choose history='auto' with mode='live'"
            )
        if "reset_session" not in can:
            raise AgentCannot(
                agent.name, "begin a new session", "give it a method reset_session(), or choose mode='inject'"
            )
        if not can & {"fork", "forget"}:
            advice = "hand over AgentFactory(make=…), give it fork() or forget(), or choose mode='inject'"
            raise AgentCannot(agent.name, "begin with an empty memory for each story", advice)
    if demands.history == "chat" and "inject_history" not in can:
        advice = "give it a method inject_history(turns), or choose history='text'"
        raise AgentCannot(agent.name, "take a history turn by turn", advice)
    return Terms(
        mode=demands.mode,
        chat=demands.mode == "inject" and demands.history != "text" and "inject_history" in can,
        dates_in_text=demands.dates in ("auto", "text", "both"),
        instants=demands.dates in ("instants", "both") or (demands.dates == "auto" and "timestamps" in can),
    )
