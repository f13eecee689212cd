"""What to do after an attempt that gave nothing: wait and try again, change the key, or give up. Pure."""

from typing import Literal

from msgspec import Struct

from .key_ring import COOL_DOWN_MS

MAX_RETRY_AFTER_MS = 60_000
BASE_MS = 500
CAP_MS = 20_000

FaultKind = Literal["transport", "busy", "server", "key", "refused", "unusable"]
"""`busy` is 429, `server` 5xx and 408/409, `key` 401/403, `refused` any other 4xx, `unusable` a 200 without a completion."""


class Fault(Struct, frozen=True, kw_only=True):
    kind: FaultKind
    detail: str
    retry_after_ms: int | None = None


class NextStep(Struct, frozen=True, kw_only=True):
    again: bool
    wait_ms: int = 0
    """Before the next attempt, whichever key it uses."""
    key_rest_ms: int = 0
    """How long the key that was used stays out of the rotation."""
    retire_key: bool = False


def fault_of_status(status: int, detail: str, retry_after: str | None) -> Fault:
    if status == 429:
        return Fault(kind="busy", detail=detail, retry_after_ms=retry_after_ms(retry_after))
    if status >= 500 or status in (408, 409):
        return Fault(kind="server", detail=detail, retry_after_ms=retry_after_ms(retry_after))
    return Fault(kind="key" if status in (401, 403) else "refused", detail=detail)


def retry_after_ms(header: str | None) -> int | None:
    """Seconds of a Retry-After header, clamped to [0, 60 s]. A date or nonsense counts as absent."""
    try:
        seconds = float(header) if header is not None else None
    except ValueError:
        return None
    if seconds is None or seconds != seconds:  # noqa: PLR0124 - NaN, which float() reads from "nan"
        return None
    return int(min(max(seconds * 1000, 0), MAX_RETRY_AFTER_MS))


def decide_next(fault: Fault, *, attempt: int, attempts: int, other_keys: int, jitter: float) -> NextStep:
    """`attempt` counts from 1; `other_keys` are usable now; `jitter` is uniform in [0, 1).

    A 429 rests the key for what the endpoint asks, or 30 s. Other waits double from 0.5 s to 20 s, with full jitter.
    """
    if attempt >= attempts or fault.kind == "refused" or (fault.kind == "key" and not other_keys):
        return NextStep(again=False)
    match fault.kind:
        case "busy":
            return NextStep(
                again=True, key_rest_ms=COOL_DOWN_MS if fault.retry_after_ms is None else fault.retry_after_ms
            )
        case "key":
            return NextStep(again=True, retire_key=True)
        case "unusable":
            return NextStep(again=True)
        case "transport" | "server":
            if fault.retry_after_ms is not None:
                return NextStep(again=True, wait_ms=fault.retry_after_ms)
            return NextStep(again=True, wait_ms=int(min(CAP_MS, BASE_MS * 2 ** (attempt - 1)) * jitter))
