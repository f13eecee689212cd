"""Waiting for a coroutine where no event loop runs: the synchronous twins."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from .errors import InsideALoop

R = TypeVar("R")


def wait_for(work: Coroutine[Any, Any, R], twin: str) -> R:
    """Raises `InsideALoop` where waiting would stop the loop that it waits for."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    work.close()
    raise InsideALoop(twin)
