"""What a process says of its own readiness: every check is asked at once, and none can hold up the answer."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

CHECK_SECONDS = 1.5
"""Less than a prober's own patience (2 s in the local stack), so that it hears the reason."""

Check = Callable[[], Awaitable[str | None]]
"""None when well, else one line that says what is wrong."""


class Readiness:
    """Keeps a check that does not come back, and asks it no second time meanwhile.

    A cancelled psycopg call still waits for its server, and a server that is frozen never answers: the check is left to
    itself, or every probe would hang with it and take one more connection.
    """

    def __init__(self, checks: Mapping[str, Check], *, check_seconds: float = CHECK_SECONDS) -> None:
        self._checks = checks
        self._check_seconds = check_seconds
        self._asked: dict[str, asyncio.Future[str | None]] = {}

    async def problems(self) -> dict[str, str]:
        """Name of a check to what is wrong. Raises what a check raises."""
        asked = {name: self._ask(name, check) for name, check in self._checks.items()}
        if asked:
            await asyncio.wait(asked.values(), timeout=self._check_seconds)
        answers = {name: self._answer(one) for name, one in asked.items()}
        return {name: problem for name, problem in answers.items() if problem is not None}

    def _ask(self, name: str, check: Check) -> asyncio.Future[str | None]:
        asked = self._asked.get(name)
        if asked is None or asked.done():
            asked = self._asked[name] = asyncio.ensure_future(check())
        return asked

    def _answer(self, asked: asyncio.Future[str | None]) -> str | None:
        return asked.result() if asked.done() else f"no answer within {self._check_seconds:g} s"
