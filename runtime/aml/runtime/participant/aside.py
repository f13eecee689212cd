"""Large bodies are judged in a thread, one at a time, and their own job pays for it in waiting.

30 MiB take 150 ms, in steps of at most 40 ms under the interpreter's lock. A job that answers nothing but such bodies would
have that lock nearly always, and every other job of the process would crawl; so after each one it waits `REST` times as long
as judging took. Its latencies are measured before, and only a job of more than 30 MB/s is ever slowed.
"""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from .reply import Reply

ASIDE_BYTES: Final = 1 << 18
REST: Final = 3.0

T = TypeVar("T")

_thread: Final = ThreadPoolExecutor(1, thread_name_prefix="judge-large-body")
"""One for the process, whatever its clients are; it starts with the first large body."""


class Aside:
    """One per client."""

    def __init__(self) -> None:
        self._turn = asyncio.Semaphore(1)

    async def judge(self, check: Callable[[Reply], T], reply: Reply) -> T:
        """Raises what `check` raises."""
        await self._turn.acquire()
        loop, began = asyncio.get_running_loop(), time.perf_counter()
        try:
            return await loop.run_in_executor(_thread, check, reply)
        finally:
            loop.call_later(REST * (time.perf_counter() - began), self._turn.release)
