"""What can be wrong with an agent. Every message is one line that says what to do next.

AgentError
├── NotAnAgent    nothing in it can be asked
├── AgentCannot   the run needs what the agent has not; raised before the first call
└── AgentFailed   a call to it went wrong; the question is left unscored
    └── AgentSlow gave no answer in time
"""


class AgentError(Exception):
    """Root."""


class NotAnAgent(AgentError):
    def __init__(self, given: object, problem: str) -> None:
        advice = "give a callable that takes a message, or an object with ask(message)"
        super().__init__(f"{type(given).__name__!r} is no agent: {problem}; {advice}")
        self.problem = problem


class AgentCannot(AgentError):
    """`ability` is what is missing, in words; `advice` what to do about it."""

    def __init__(self, agent: str, ability: str, advice: str) -> None:
        super().__init__(f"{agent} cannot {ability}; {advice}")
        self.agent = agent
        self.ability = ability
        self.advice = advice


class AgentFailed(AgentError):
    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


class AgentSlow(AgentFailed):
    def __init__(self, seconds: float) -> None:
        super().__init__(f"the agent gave no answer within {seconds:g} s")
        self.seconds = seconds
