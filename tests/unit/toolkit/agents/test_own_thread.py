import asyncio
import contextvars
import threading
import time

import pytest

from aml.toolkit.agents.own_thread import OwnThread

CALLER: contextvars.ContextVar[str] = contextvars.ContextVar("caller", default="nobody")


def test_a_call_that_never_ends_keeps_no_process_from_ending() -> None:
    async def abandoned() -> bool:
        thread = OwnThread("stuck")
        stuck = threading.Event()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await thread.call(stuck.wait)
        daemons = [each.daemon for each in threading.enumerate() if each.name == "agent-stuck"]
        stuck.set()
        thread.close()
        return daemons == [True]

    assert asyncio.run(abandoned())


async def test_the_loop_goes_on_while_a_call_blocks() -> None:
    thread = OwnThread("slow")
    began = time.monotonic()

    calling = asyncio.create_task(thread.call(time.sleep, 0.05))
    await asyncio.sleep(0)

    assert time.monotonic() - began < 0.04
    await calling
    thread.close()


async def test_the_callers_context_is_the_calls() -> None:
    thread = OwnThread("context")
    CALLER.set("me")

    assert await thread.call(CALLER.get) == "me"
    thread.close()


async def test_a_failure_is_the_callers() -> None:
    thread = OwnThread("failing")

    with pytest.raises(ZeroDivisionError):
        await thread.call(lambda: 1 / 0)
    with pytest.raises(RuntimeError, match="StopIteration"):
        await thread.call(lambda: next(iter(())))
    assert await thread.call(lambda: 3) == 3
    thread.close()


async def test_a_call_that_nobody_waits_for_is_not_begun() -> None:
    thread = OwnThread("queue")
    begun: list[int] = []

    first = asyncio.create_task(thread.call(time.sleep, 0.03))
    second = asyncio.create_task(thread.call(lambda: begun.append(2)))
    await asyncio.sleep(0)
    second.cancel()
    await first
    await thread.call(lambda: begun.append(3))

    assert begun == [3]
    thread.close()
