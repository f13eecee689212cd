"""What an agent is to a run: something that is asked, and what else it may be able to do.

`as_agent` makes one of nearly anything; subclass `Agent` where that is not enough.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import datetime
from typing import Final, Literal

from msgspec import Struct

from .errors import AgentCannot

Ability = Literal["inject_history", "reset_session", "forget", "fork", "timestamps", "set_sampling", "stateless"]
"""What an agent can do beside being asked.

inject_history  begin a session with turns that it did not live through
reset_session   begin a new session: what was said is known only by what it remembers
forget          begin with an empty memory
fork            another agent like this one, with an empty memory
timestamps      take the time of a message as a time, not as text
set_sampling    be told a temperature and a seed
stateless       be asked several times at once, since an answer depends on its message alone
"""

SamplingOutcome = Literal[
    "not_requested", "not_supported", "declined", "sent_unverified", "sent_and_echoed", "echoed_different", "rejected"
]

NOTHING: Final[frozenset[Ability]] = frozenset()


class HistoryTurn(Struct, frozen=True, kw_only=True):
    role: str
    """`user` or `assistant`."""
    content: str
    session: str
    """Equal for the turns of one session."""
    at: datetime | None = None
    """UTC; None where the source has no times, or where the run keeps them from the agent."""


class Agent(ABC):
    """Methods beyond `ask` are called only where `abilities` names them. Whatever a call raises leaves a question unscored."""

    name: str
    model: str | None = None
    abilities: frozenset[Ability] = NOTHING
    max_concurrency: int = 1
    """Calls at once, over all of its forks."""

    @abstractmethod
    async def ask(self, message: str, *, at: datetime | None = None) -> str | None:
        """The answer; None and an empty text count as none. `at` is given only where the agent can take timestamps."""

    async def reset_session(self) -> None:
        raise AgentCannot(self.name, "reset its session", "give it a method reset_session()")

    async def inject_history(self, turns: Sequence[HistoryTurn]) -> None:
        """The turns are all that the session has seen."""
        del turns
        raise AgentCannot(self.name, "take a history", "give it a method inject_history(turns)")

    async def forget(self) -> None:
        raise AgentCannot(self.name, "forget", "give it a method forget()")

    def fork(self) -> "Agent":
        raise AgentCannot(self.name, "be forked", "give it a method fork(), or an AgentFactory")

    async def set_sampling(self, temperature: float | None, seed: int | None) -> SamplingOutcome:
        del temperature, seed
        return "not_supported"

    async def aclose(self) -> None:  # noqa: B027 - most hold nothing
        """Lets go of what the agent holds; called once for it and for each fork."""
