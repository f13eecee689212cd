"""Lets as many calls through at once as the pace allows; the rest wait in the order in which they came.

One for each kind of call, job and process. Across replicas the broker's `max_ack_pending` holds the declared limit; what a
participant's push-back takes away is taken from this process's share only, and every replica learns it from its own calls.
"""

import asyncio
from collections import deque

from .pace import Pace, after_failure, after_success, full_pace


class Turnstile:
    def __init__(self, ceiling: int) -> None:
        self.pace: Pace = full_pace(ceiling)
        self._inside = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def enter(self) -> int:
        """Returns the epoch, which `failed` wants back. Each `enter` that returns needs one `leave`."""
        if self._waiting or self._inside >= self.pace.allowed:
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self.leave()  # it was our turn already: the next one's now
                raise
        else:
            self._inside += 1
        return self.pace.epoch

    def leave(self) -> None:
        self._inside -= 1
        self._admit()

    def succeeded(self) -> None:
        self.pace = after_success(self.pace)

    def failed(self, *, status: int | None, retryable: bool, began_in: int) -> None:
        self.pace = after_failure(self.pace, status=status, retryable=retryable, began_in=began_in)

    def _admit(self) -> None:
        while self._waiting and self._inside < self.pace.allowed:
            turn = self._waiting.popleft()
            if not turn.done():
                self._inside += 1
                turn.set_result(None)
