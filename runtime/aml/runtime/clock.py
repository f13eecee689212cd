"""Time as a parameter: shells take a `Clock`, rules take a number."""

import time
from typing import Protocol


class Clock(Protocol):
    def now_ms(self) -> int:
        """Unix milliseconds, UTC."""
        ...


class SystemClock:
    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000


class FixedClock:
    """For tests and replays. `advance` moves it by milliseconds."""

    def __init__(self, now_ms: int) -> None:
        self._now_ms = now_ms

    def now_ms(self) -> int:
        return self._now_ms

    def advance(self, ms: int) -> None:
        self._now_ms += ms
