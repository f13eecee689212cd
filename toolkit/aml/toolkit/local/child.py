"""A process that this one waits for, however it came to be."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Awaitable, Callable
from typing import Protocol

from aml.runtime.prctl import is_linux, take_orphans

from .process_plan import ProcessPlan


class Child(Protocol):
    """The part of `asyncio.subprocess.Process` that a charge needs."""

    @property
    def pid(self) -> int: ...

    @property
    def returncode(self) -> int | None: ...

    async def wait(self) -> int: ...

    def send_signal(self, signal: int) -> None: ...


Start = Callable[[ProcessPlan], Awaitable[Child]]
"""Raises `OSError`."""


class AdoptedChild:
    """A child of this process that another one forked: asyncio knows nothing of it. Linux only. Make it inside the loop."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._ended = asyncio.Event()
        self._handle = os.pidfd_open(pid)
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._handle, self._reap)

    async def wait(self) -> int:
        await self._ended.wait()
        assert self.returncode is not None
        return self.returncode

    def send_signal(self, signal: int) -> None:
        if self.returncode is None:  # until it is reaped, its number is nobody else's
            os.kill(self.pid, signal)

    def _reap(self) -> None:
        self._loop.remove_reader(self._handle)
        os.close(self._handle)
        _, status = os.waitpid(self.pid, 0)
        self.returncode = os.waitstatus_to_exitcode(status)
        self._ended.set()


def can_adopt() -> bool:
    """Whether this system lets a process take a stranger for its child, and wait for it in the loop."""
    if not is_linux():
        return False
    try:
        take_orphans(False)
        os.close(os.pidfd_open(os.getpid()))
    except OSError:  # a kernel before 5.3, or a sandbox that filters such calls
        return False
    return True


def signal_child(child: Child, what: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        child.send_signal(what)
