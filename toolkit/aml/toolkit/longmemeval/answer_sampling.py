"""The answering model's temperature and seed: what was asked for, and what became of it. Never rounded up to "heeded".

The toolkit cannot set the sampling of a model that it does not call. So an agent that takes no such order runs without, the
result says so, and one whose provider refuses the order has its questions unscored: a silent retry without it would look pinned.
"""

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from aml.toolkit.agents.agent import Agent, HistoryTurn, SamplingOutcome
from aml.toolkit.agents.errors import AgentFailed

REJECTED = "answer_sampling_rejected"


class ParameterOutcome(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    requested: float | None
    outcome: SamplingOutcome


class AnswerSampling(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    temperature: ParameterOutcome
    seed: ParameterOutcome

    @property
    def pinned(self) -> bool:
        """Everything that was asked for was at least sent."""
        asked = [each.outcome for each in (self.temperature, self.seed) if each.requested is not None]
        return bool(asked) and all(outcome in ("sent_unverified", "sent_and_echoed") for outcome in asked)


class PinnedAgent(Agent):
    """An agent whose forks are told the sampling before their first question. `outcomes` says what they answered."""

    def __init__(
        self, agent: Agent, temperature: float | None, seed: int | None, outcomes: set[SamplingOutcome] | None = None
    ) -> None:
        self.name = agent.name
        self.model = agent.model
        self.abilities = agent.abilities - {"set_sampling"}  # it is told here, and by nobody else
        self.max_concurrency = agent.max_concurrency
        self.outcomes: set[SamplingOutcome] = set() if outcomes is None else outcomes
        self._agent = agent
        self._temperature = temperature
        self._seed = seed
        self._told = False

    async def ask(self, message: str, *, at: datetime | None = None) -> str | None:
        """Raises `AgentFailed` where the provider refused the sampling."""
        if await self._tell() == "rejected":
            raise AgentFailed(f"{REJECTED}: the model's provider refused the answer_temperature or answer_seed")
        return await (self._agent.ask(message, at=at) if "timestamps" in self.abilities else self._agent.ask(message))

    async def reset_session(self) -> None:
        await self._agent.reset_session()

    async def inject_history(self, turns: Sequence[HistoryTurn]) -> None:
        await self._agent.inject_history(turns)

    async def forget(self) -> None:
        await self._agent.forget()

    def fork(self) -> "PinnedAgent":
        return PinnedAgent(self._agent.fork(), self._temperature, self._seed, self.outcomes)

    async def aclose(self) -> None:
        await self._agent.aclose()

    async def _tell(self) -> SamplingOutcome | None:
        if self._told:
            return None
        outcome: SamplingOutcome = "not_supported"
        if "set_sampling" in self._agent.abilities:
            outcome = await self._agent.set_sampling(self._temperature, self._seed)
        self.outcomes.add(outcome)
        self._told = outcome != "rejected"
        return outcome


def sampling_report(temperature: float | None, seed: int | None, outcomes: set[SamplingOutcome]) -> AnswerSampling:
    """Where the forks differ, the worst of what they said."""
    worst: SamplingOutcome = next((each for each in _WORST_FIRST if each in outcomes), "not_supported")
    return AnswerSampling(temperature=_parameter(temperature, worst), seed=_parameter(seed, worst))


def _parameter(requested: float | None, told: SamplingOutcome) -> ParameterOutcome:
    outcome: SamplingOutcome = "not_requested" if requested is None else told
    return ParameterOutcome(requested=requested, outcome=outcome)


_WORST_FIRST: tuple[SamplingOutcome, ...] = (
    "rejected",
    "not_supported",
    "declined",
    "echoed_different",
    "sent_unverified",
    "sent_and_echoed",
)
