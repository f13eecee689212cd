"""Keeps the processes of one home running: starts them by stages, restarts what crashes, stops them in reverse order."""

import asyncio
import contextlib
import signal
from collections.abc import Sequence

from msgspec import Struct

from .assembly import Stage
from .charge import Charge, Reporter, StartFailed
from .child import Start
from .spawning import spawn_child
from .state_board import StateBoard


class Deadlines(Struct, frozen=True, kw_only=True):
    start_s: float = 60.0
    """For one stage to become ready."""
    stop_s: float = 10.0
    """For one process to end after it was asked to; then it is killed."""


class Supervisor:
    def __init__(
        self,
        stages: Sequence[Stage],
        board: StateBoard,
        report: Reporter,
        deadlines: Deadlines | None = None,
        start: Start = spawn_child,
    ) -> None:
        self._deadlines = deadlines or Deadlines()
        self._board = board
        self._report = report
        self._stages = [
            [Charge(name, prepare, board, report, start) for name, prepare in stage.items()] for stage in stages
        ]

    async def run(self, stop: asyncio.Event) -> None:
        """Until `stop` is set; nothing runs any more when it returns or raises. Raises `StartFailed`."""
        starting = asyncio.create_task(self._start())
        stopping = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait({starting, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if starting.done():
                starting.result()
                self._board.ready()
                self._report("stack.ready")
                await stopping
        except StartFailed as failure:
            self._board.failed(failure.process, failure.problem, failure.log_tail)
            raise
        finally:
            for task in (starting, stopping):
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError, StartFailed):
                    await task
            await self._stop()

    async def _start(self) -> None:
        for stage in self._stages:
            for charge in stage:
                charge.start()
            lives = {charge.life for charge in stage}
            ready = asyncio.create_task(_all_ready(stage))
            try:
                async with asyncio.timeout(self._deadlines.start_s):
                    # A life ends before all are ready only when its process cannot be started.
                    await asyncio.wait({ready, *lives}, return_when=asyncio.FIRST_COMPLETED)
            except TimeoutError:
                late = next(charge for charge in stage if not charge.ready.is_set())
                raise late.failure(f"was not ready after {self._deadlines.start_s:g} s ({late.last_health})") from None
            finally:
                ready.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await ready
            for life in lives:
                if life.done():
                    life.result()

    async def _stop(self) -> None:
        self._board.stopping()
        for stage in reversed(self._stages):
            await asyncio.gather(*(charge.stop(self._deadlines.stop_s) for charge in reversed(stage)))
        self._report("stack.stopped")


async def _all_ready(stage: Sequence[Charge]) -> None:
    for charge in stage:
        await charge.ready.wait()


def stop_on_signals(stop: asyncio.Event) -> None:
    """SIGINT, SIGTERM and the terminal's going away set `stop`. Call inside the running loop."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # `nohup aml up` means it
            loop.add_signal_handler(number, stop.set)
