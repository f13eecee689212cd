"""The nursery (`aml.runtime.nursery`) as its parent sees it: opened first, asked for one service after the other, never needed.

Whatever goes wrong with it (it was killed, it hangs, this is no Linux), a service is started by its command, as without it.
"""

import asyncio
import contextlib
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from aml.runtime.nursery.births import Birth
from aml.runtime.prctl import take_orphans

from .child import AdoptedChild, Child, Start, can_adopt
from .process_plan import ProcessPlan
from .spawning import die_with_parent, open_log, spawn_child

COMMAND = (sys.executable, "-P", "-m", "aml.runtime.nursery")
REPLY_TIMEOUT_S = 20.0
"""Includes what it still has to import."""
REPLY_LIMIT_BYTES = 32


class Nursery:
    """Forks services for one supervisor, as that supervisor's own children."""

    def __init__(self, process: "subprocess.Popen[bytes]", requests: socket.socket) -> None:
        self._process = process
        self._requests = requests
        self._one_at_a_time = asyncio.Lock()

    @property
    def pid(self) -> int:
        return self._process.pid

    async def start(self, plan: ProcessPlan) -> Child:
        if plan.module is not None:
            async with self._one_at_a_time:
                pid = await self._ask(plan, plan.module)
            if pid is not None:
                return AdoptedChild(pid)
        return await spawn_child(plan)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self._requests.close()

    async def _ask(self, plan: ProcessPlan, module: str) -> int | None:
        """The new process's id; None when the nursery is of no use any more."""
        if self._process.poll() is not None:
            return None
        birth = Birth(module=module, environment=plan.environment, death_signal=int(plan.stop_signal))
        reply = b""
        take_orphans(True)  # for this moment alone: other orphans are init's to reap
        try:
            with open_log(plan.log_file) as output:
                socket.send_fds(self._requests, [msgspec.json.encode(birth)], [output.fileno()])
            async with asyncio.timeout(REPLY_TIMEOUT_S):
                reply = await asyncio.get_running_loop().sock_recv(self._requests, REPLY_LIMIT_BYTES)
        except OSError:  # a timeout is one, too
            return None
        finally:
            take_orphans(False)
            if not reply:  # nor may a late answer be taken for the next one's
                self._process.kill()
                self._process.wait()
        return int(reply) if reply else None


@contextlib.contextmanager
def open_nursery(environment: Mapping[str, str], log_file: Path) -> Iterator[Start]:
    """How processes are started. Enter it before all else, and on the thread that stays: the nursery imports meanwhile."""
    if not can_adopt():
        yield spawn_child
        return
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setblocking(False)
    with theirs, open_log(log_file) as output:
        process = subprocess.Popen(  # noqa: S603 - ourselves
            COMMAND,
            stdin=theirs.fileno(),
            stdout=output,
            stderr=output,
            env=dict(environment),
            start_new_session=True,
            preexec_fn=die_with_parent(signal.SIGKILL),  # noqa: PLW1509 - two system calls
        )
    nursery = Nursery(process, ours)
    try:
        yield nursery.start
    finally:
        nursery.close()
