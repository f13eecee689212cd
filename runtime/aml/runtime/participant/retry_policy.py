"""Whether a failed call is tried again, and after how long. Pure: time and chance are passed in.

The two status sets are the contract's (cycle-2, section 06): Add may repeat a conflict (its request id makes that safe) and
524; Search neither. Delays are exponential with full jitter: uniform between 0 and the bound.
"""

import re
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Final, Literal

from msgspec import Struct

from aml.contracts.release import RetryPolicy

RETRYABLE_ADD: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 524})
RETRYABLE_SEARCH: Final = frozenset({408, 425, 429, 500, 502, 503, 504})


class Retry(Struct, frozen=True, tag=True):
    delay_seconds: float


class GiveUp(Struct, frozen=True, tag=True):
    because: Literal["permanent", "attempts"]


def is_retryable_status(call: Literal["add", "search"], status: int) -> bool:
    return status in (RETRYABLE_ADD if call == "add" else RETRYABLE_SEARCH)


def decide(
    attempt: int, *, retryable: bool, retry_after: float | None, policy: RetryPolicy, chance: float
) -> Retry | GiveUp:
    """After failed `attempt` (from 1). `chance` is uniform in [0, 1); `retry_after` is what the participant asked for."""
    if not retryable:
        return GiveUp("permanent")
    if attempt >= policy.attempts:
        return GiveUp("attempts")
    delay = chance * backoff_bound(attempt, policy)
    if retry_after is not None:
        # Never earlier than asked, never later than the release allows.
        delay = max(delay, min(retry_after, policy.cap_seconds))
    return Retry(delay)


def backoff_bound(attempt: int, policy: RetryPolicy) -> float:
    """Seconds: base · 2^(attempt-1), at most the cap."""
    return min(policy.cap_seconds, policy.base_seconds * 2.0 ** min(attempt - 1, 60))


def parse_retry_after(value: str | None, now_ms: int) -> float | None:
    """Seconds from now, of either form of RFC 9110 §10.2.3; a past date is 0. None where absent or unreadable."""
    if value is None or len(value) > 64:
        return None
    if re.fullmatch(r"\s*[0-9]{1,10}\s*", value, re.ASCII):
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, moment.timestamp() - now_ms / 1000)
