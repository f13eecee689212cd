"""An agent of this process behind the participant contract, on a port of the loopback address, as long as a run needs it.

It serves on the running loop, so that an async agent is called where its own connections live; one that blocks has a thread.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final, TypeVar

import msgspec
from aiohttp import web

from aml.contracts.participant import AddRequest, AddResponse, SearchRequest

from .attendance import Attendance
from .errors import AgentError, AgentFailed, AgentSlow
from .received import sample_of

LARGEST_ADD: Final = 64 * 1024 * 1024
LARGEST_ANSWER: Final = 262_144
LARGEST_FINDINGS: Final = 4_194_304
"""Bytes of Search's body that the toolkit's releases read: of an agent's answer, and of what a memory returns."""
SLOW_CALLS: Final = 2
"""Calls for one question that may run out of time; the platform's further attempts are refused at once. Whoever hangs, hangs."""
FAILURES_KEPT: Final = 10_000
_PROBLEM_LENGTH: Final = 500

T = TypeVar("T")


class Loopback:
    """`base_url` is set while it serves."""

    def __init__(self, attendance: Attendance, *, largest_reply: int = LARGEST_ANSWER) -> None:
        """A longer reply than `largest_reply` bytes would break the contract, which ends a whole job; refused here it leaves
        one question unscored.
        """
        self._attendance = attendance
        self._largest_reply = largest_reply
        self._slow: Counter[tuple[str, str | None]] = Counter()
        self._failures: dict[tuple[str, str | None], str] = {}
        self.base_url = ""

    def failure(self, sample_id: str, question: str | None) -> str | None:
        """What the agent last raised when it was asked this, or (None) when it was told this story. Never sent anywhere."""
        return self._failures.get((sample_id, question))

    async def add(self, request: web.Request) -> web.Response:
        order = msgspec.json.decode(await request.read(), type=AddRequest)
        refusal, _ = await self._attend(order.user_id, None, lambda: self._attendance.add(order))
        if refusal is not None:
            return refusal
        done = AddResponse(
            success=True, request_id=order.request_id, user_id=order.user_id, session_id=order.session_id
        )
        return web.Response(body=msgspec.json.encode(done), content_type="application/json")

    async def search(self, request: web.Request) -> web.Response:
        order = msgspec.json.decode(await request.read(), type=SearchRequest)

        async def answered() -> bytes:
            body = msgspec.json.encode({"data": await self._attendance.search(order)})
            if len(body) > self._largest_reply:
                raise AgentFailed(f"the answer has {len(body):,} bytes; at most {self._largest_reply:,} are read")
            return body

        refusal, body = await self._attend(order.user_id, str(order.query), answered)
        return refusal or web.Response(body=body, content_type="application/json")

    async def health(self, _request: web.Request) -> web.Response:
        return web.json_response({"status": "ok"})

    async def _attend(
        self, user_id: str, question: str | None, call: Callable[[], Awaitable[T]]
    ) -> tuple[web.Response | None, T | None]:
        """The agent's own words stay here: they may hold what is no business of the platform's."""
        if self._slow[sample_of(user_id), question] >= SLOW_CALLS:
            return _refusal(504, "the agent was too slow before"), None
        try:
            return None, await call()
        except AgentSlow as error:
            self._slow[sample_of(user_id), question] += 1
            self._keep(user_id, question, str(error))
            return _refusal(504, "the agent gave no answer in time"), None
        except AgentError as error:
            self._keep(user_id, question, str(error))
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            if isinstance(error, asyncio.CancelledError) and _is_interrupted():
                raise
            self._keep(user_id, question, _problem(error))
        return _refusal(500, "the agent failed"), None

    def _keep(self, user_id: str, question: str | None, problem: str) -> None:
        if len(self._failures) < FAILURES_KEPT:
            self._failures[sample_of(user_id), question] = problem[:_PROBLEM_LENGTH]


@asynccontextmanager
async def serve_loopback(
    attendance: Attendance,
    *,
    host: str = "127.0.0.1",
    largest_reply: int = LARGEST_ANSWER,
) -> AsyncIterator[Loopback]:
    loopback = Loopback(attendance, largest_reply=largest_reply)
    application = web.Application(client_max_size=LARGEST_ADD)
    application.add_routes(
        [
            web.post("/add", loopback.add),
            web.post("/search", loopback.search),
            web.get("/health", loopback.health),
        ]
    )
    runner = web.AppRunner(application, access_log=None, handle_signals=False, shutdown_timeout=0.5)
    await runner.setup()
    try:
        site = web.TCPSite(runner, host, 0)
        await site.start()
        loopback.base_url = f"http://{host}:{runner.addresses[0][1]}"
        yield loopback
    finally:
        await runner.cleanup()
        await attendance.aclose()


def _refusal(status: int, text: str) -> web.Response:
    return web.json_response({"error": text}, status=status)


def _is_interrupted() -> bool:
    """That the call itself was cancelled, and not that the agent raised what looks like it."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _problem(error: BaseException) -> str:
    said = " ".join(str(error).split())
    return f"the agent raised {type(error).__name__}" + (f": {said}" if said else "")
