"""A call to an agent, and how long it may take."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from .errors import AgentSlow

ANSWER_SECONDS: Final = 120.0


@asynccontextmanager
async def in_time(seconds: float) -> AsyncIterator[None]:
    """Raises `AgentSlow`; a `TimeoutError` of the agent's own is as any other error of its."""
    limit = asyncio.timeout(seconds)
    try:
        async with limit:
            yield
    except TimeoutError:
        if limit.expired():
            raise AgentSlow(seconds) from None
        raise
