"""Every check, in the order in which they run: what the others need comes first, what disturbs comes last."""

from typing import Final

from aml.runtime.doctor.check import Check

from .add_and_search import ADD, READ_YOUR_WRITE, SEARCH
from .concurrency import CONCURRENCY
from .echo import ECHO
from .idempotency import CHANGED_BODY, REPEATED_ADD, SHARED_REQUEST_ID
from .isolation import ISOLATION
from .keys import NO_KEY, RIGHT_KEY, WRONG_KEY
from .latency import LATENCY
from .multimodal import MULTIMODAL
from .reach import HEALTH, REACH
from .restart import RESTART
from .results import EMPTY_RESULT, OPTIONS, ORDER, TOP_K
from .sizes import LARGE_BODY, LONG_MESSAGE, TWENTY_MESSAGES
from .texts import NAUGHTY_STRINGS, NUL_CHARACTER, UNICODE
from .timestamps import TIMESTAMPS

CHECKS: Final[tuple[Check, ...]] = (
    REACH,
    HEALTH,
    RIGHT_KEY,
    WRONG_KEY,
    NO_KEY,
    ADD,
    SEARCH,
    ECHO,
    READ_YOUR_WRITE,
    TIMESTAMPS,
    TWENTY_MESSAGES,
    LONG_MESSAGE,
    LARGE_BODY,
    UNICODE,
    NAUGHTY_STRINGS,
    NUL_CHARACTER,
    TOP_K,
    ORDER,
    OPTIONS,
    REPEATED_ADD,
    CHANGED_BODY,
    SHARED_REQUEST_ID,
    ISOLATION,
    EMPTY_RESULT,
    MULTIMODAL,
    CONCURRENCY,
    LATENCY,
    RESTART,
)

__all__ = ["CHECKS"]
