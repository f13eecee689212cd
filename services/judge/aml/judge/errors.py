"""Why a question could not be answered or scored.

    UnscoredError                 reason, detail, calls made
    ├── ModelCallError            a model was asked and gave nothing usable
    │   ├── ModelUnavailable      transport, time-out, 5xx or 429, attempts used up
    │   ├── ModelRefused          the endpoint will not serve this request: keys, model name, context length
    │   └── ModelReplyUnusable    malformed reply, no choice, or cut off before any text
    ├── AgentSaidTwice            a system that answers itself returned more than one answer
    ├── VerdictUnreadable         the judge replied, and no reply held a verdict
    └── ReleaseGap                the release says nothing, or something impossible, about this question type

None of them is a wrong answer: the question ends unscored with `reason`.
"""

from aml.contracts.vocabulary import UnscoredReason


class UnscoredError(Exception):
    """`reason` and `detail` go into `UnitUnscored`; the calls were paid for and are counted all the same."""

    def __init__(self, reason: UnscoredReason, detail: str, *, primary_calls: int = 0, retry_calls: int = 0) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason: UnscoredReason = reason
        self.detail = detail
        self.primary_calls = primary_calls
        self.retry_calls = retry_calls


class ModelCallError(UnscoredError):
    """`reason` is `model` for the answering model and `judge` for the judging one."""


class ModelUnavailable(ModelCallError):
    """Trying again later may help."""


class ModelRefused(ModelCallError):
    """Trying again will not help; somebody has to change a key, a model name or a limit."""


class ModelReplyUnusable(ModelCallError):
    """The endpoint answered 200 with something that is not a completion."""


class AgentSaidTwice(UnscoredError):
    def __init__(self, answers: int) -> None:
        super().__init__(
            "contract", f"Search returned {answers} items; a system that answers itself returns its answer alone"
        )


class VerdictUnreadable(UnscoredError):
    """Never read as correct, never as incorrect."""


class ReleaseGap(UnscoredError):
    """Reason `internal`: a release that passed its checks does not raise this."""
