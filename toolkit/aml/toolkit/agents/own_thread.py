"""A thread of its own for code that blocks: one call after the other, always in the same thread, as SQLite wants it.

It is a daemon, unlike an executor's thread: an agent that never returns must not keep a build from ending.
"""

import asyncio
import contextlib
import contextvars
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

_Call = tuple[asyncio.AbstractEventLoop, "asyncio.Future[Any]", Callable[[], Any]]


class OwnThread:
    """Starts with the first call."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._calls: SimpleQueue[_Call | None] | None = None

    async def call(self, function: Callable[..., Any], *given: Any, **named: Any) -> Any:
        if self._calls is None:
            self._calls = SimpleQueue()
            threading.Thread(target=_work, args=(self._calls,), name=f"agent-{self._name}", daemon=True).start()
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Any] = loop.create_future()
        context = contextvars.copy_context()
        self._calls.put((loop, done, lambda: context.run(function, *given, **named)))
        return await done

    def close(self) -> None:
        """Does not wait for a call that is under way; a later call starts another thread."""
        if self._calls is not None:
            self._calls.put(None)
            self._calls = None


def _work(calls: "SimpleQueue[_Call | None]") -> None:
    while (call := calls.get()) is not None:
        loop, done, function = call
        if done.cancelled():
            continue
        outcome: Any = None
        failure: BaseException | None = None
        try:
            outcome = function()
        except StopIteration as error:  # no future can hold one
            failure = RuntimeError(f"the agent raised StopIteration: {error}")
        except BaseException as error:  # noqa: BLE001 - whoever awaits the call gets it, whatever it is
            failure = error
        with contextlib.suppress(RuntimeError):  # the loop has closed: nobody waits any more
            loop.call_soon_threadsafe(_settle, done, outcome, failure)


def _settle(done: "asyncio.Future[Any]", outcome: Any, failure: BaseException | None) -> None:
    if done.done():
        return
    if failure is None:
        done.set_result(outcome)
    else:
        done.set_exception(failure)
