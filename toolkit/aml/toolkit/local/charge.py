"""One supervised process: its life from start to stop, with every crash in between."""

import asyncio
import signal
from typing import Protocol

from .child import Child, Start, signal_child
from .errors import LocalStackError
from .orphans import end_session
from .probes import probe
from .process_plan import Prepare, ProcessPlan
from .restart_policy import CRASHES_BEFORE_GIVING_UP, crashes_in_a_row, restart_delay_s
from .spawning import log_tail
from .state_board import StateBoard

PROBE_EVERY_S = 0.03


class Reporter(Protocol):
    def __call__(self, event: str, **fields: object) -> object: ...


class StartFailed(LocalStackError):
    def __init__(self, process: str, problem: str, log_tail: tuple[str, ...]) -> None:
        super().__init__(f"{process} {problem}")
        self.process = process
        self.problem = problem
        self.log_tail = log_tail


class Charge:
    def __init__(self, name: str, prepare: Prepare, board: StateBoard, report: Reporter, start: Start) -> None:
        self.name = name
        self.ready = asyncio.Event()
        """Set once it has been ready; stays set when it crashes later."""
        self.last_health = "not asked yet"
        self._prepare = prepare
        self._board = board
        self._report = report
        self._start = start
        self._plan: ProcessPlan | None = None
        self._process: Child | None = None
        self._life: asyncio.Task[None] | None = None
        self._stopping = False

    def start(self) -> None:
        self._life = asyncio.create_task(self._live(), name=self.name)

    @property
    def life(self) -> asyncio.Task[None]:
        """Ends when the process was stopped; fails with `StartFailed` when it cannot be started."""
        assert self._life is not None
        return self._life

    async def stop(self, patience_s: float) -> None:
        self._stopping = True
        if self._life is None:
            return
        process, plan = self._process, self._plan
        if process is not None and process.returncode is None and plan is not None:
            signal_child(process, plan.stop_signal)
            try:
                async with asyncio.timeout(patience_s):
                    await process.wait()
            except TimeoutError:
                self._report("process.killed", process=self.name, after_s=patience_s)
                signal_child(process, signal.SIGKILL)
                await process.wait()
        else:
            self._life.cancel()
        await asyncio.wait({self._life})
        if not self._life.cancelled():
            self._life.exception()  # seen: `Supervisor` raises the first failure of a stage
        self._board.stopped(self.name)

    def failure(self, problem: str) -> StartFailed:
        if self._plan is None:
            return StartFailed(self.name, problem, ())
        log = self._plan.log_file
        return StartFailed(self.name, f"{problem}; its log is {log}", log_tail(log))

    async def _live(self) -> None:
        crashes = 0
        clock = asyncio.get_running_loop().time
        while True:
            began = clock()
            problem = await self._run_once()
            if self._stopping:
                return
            crashes = crashes_in_a_row(crashes, clock() - began)
            if not self.ready.is_set() and crashes >= CRASHES_BEFORE_GIVING_UP:
                raise self.failure(problem)
            delay = restart_delay_s(crashes)
            self._report("process.crashed", process=self.name, problem=problem, restart_in_s=delay)
            self._board.crashed(self.name, problem)
            await asyncio.sleep(delay)

    async def _run_once(self) -> str:
        """From preparation to the process's end. Returns how it ended."""
        try:
            # Beside the loop: making a database takes a while, and the broker boots meanwhile.
            plan = self._plan = await asyncio.to_thread(self._prepare)
        except (LocalStackError, OSError) as error:
            problem = _in_words(error)
            if not self.ready.is_set():
                raise StartFailed(self.name, problem, ()) from error
            return problem
        began = asyncio.get_running_loop().time()
        try:
            process = self._process = await self._start(plan)
        except OSError as error:
            return _in_words(error)
        self._board.started(plan, process.pid)
        watch = asyncio.create_task(self._watch(plan, process.pid, began))
        try:
            status = await process.wait()
        finally:
            watch.cancel()
        end_session(process.pid)
        return describe_exit(status)

    async def _watch(self, plan: ProcessPlan, pid: int, began: float) -> None:
        while not (health := await probe(plan.readiness, pid)).ready:
            self.last_health = health.detail
            await asyncio.sleep(PROBE_EVERY_S)
        self.ready.set()
        self._board.became_ready(self.name)
        took_s = round(asyncio.get_running_loop().time() - began, 3)
        self._report("process.ready", process=self.name, port=plan.port, took_s=took_s)


def describe_exit(status: int) -> str:
    if status < 0:
        return f"was ended by {signal.Signals(-status).name}"
    return f"ended with exit code {status}"


def _in_words(error: LocalStackError | OSError) -> str:
    if isinstance(error, OSError):
        return f"cannot be started: {error.strerror}: {error.filename}"
    return f"cannot be started: {error}"
