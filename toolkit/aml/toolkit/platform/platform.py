"""One caller's view of a platform: every room's calls."""

from types import TracebackType
from typing import Final, Self

import httpx

from .access_calls import AccessCalls
from .connection import Connection
from .job_calls import JobCalls
from .key_calls import KeyCalls
from .operation_calls import OperationCalls
from .proposal_calls import ProposalCalls
from .public_calls import PublicCalls
from .result_calls import ResultCalls
from .review_calls import ReviewCalls

PATIENCE_SECONDS: Final = 20.0
"""How long a call outlives a gateway that restarts: its supervisor needs a few seconds."""
TIMEOUT_SECONDS: Final = 30.0


class Platform(AccessCalls, KeyCalls, JobCalls, ResultCalls, ReviewCalls, ProposalCalls, OperationCalls, PublicCalls):
    """`as_caller` gives another caller's view, over the same connections."""

    def __init__(
        self,
        base_url: str,
        key: str | None = None,
        *,
        http: httpx.AsyncClient | None = None,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        self._owned = http is None
        self.connection = Connection(
            base_url, key, http or httpx.AsyncClient(timeout=TIMEOUT_SECONDS, trust_env=False), patience_seconds
        )

    @property
    def base_url(self) -> str:
        return self.connection.base_url

    def as_caller(self, key: str | None) -> "Platform":
        mine = self.connection
        return Platform(mine.base_url, key, http=mine.http, patience_seconds=mine.patience_seconds)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._owned:
            await self.connection.http.aclose()
