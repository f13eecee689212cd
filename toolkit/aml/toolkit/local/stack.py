"""The local stack for other code: start it if none runs, find it, stop it."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from .charge import StartFailed
from .errors import LocalStackError
from .home import HomeBusy, Layout, hold_home, make_home
from .orphans import stop_orphans
from .postgres_place import abandon_place
from .spawning import log_tail
from .state import Addresses, Identity, StackState, identify, is_alive, read_live_state, read_state

SUPERVISOR = (sys.executable, "-P", "-m", "aml.toolkit.local")
"""Takes a home, goes to the background, prints its process id."""

LOOK_EVERY_S = 0.02
START_TIMEOUT_S = 90.0
STOP_TIMEOUT_S = 45.0
"""Longer than a supervisor takes when it has to kill both of its stages."""


class StackUnresponsive(LocalStackError):
    def __init__(self, home: Path, problem: str) -> None:
        super().__init__(f"the stack in {home} {problem}; see {home}/logs/supervisor.log")
        self.home = home
        self.problem = problem


class StackInfo(Struct, frozen=True, kw_only=True):
    home: Path
    portal: str
    """Base URL of the gateway."""
    operator_key_file: Path
    board: Path
    ports: dict[str, int]
    addresses: Addresses
    started: bool
    """False when it ran already; then whoever started it also stops it."""


class LocalStack:
    """Blocking. Safe to use from several processes at once: the home's lock decides who starts the stack."""

    def __init__(
        self, home: Path, *, start_timeout_s: float = START_TIMEOUT_S, program: Sequence[str] = SUPERVISOR
    ) -> None:
        self.layout = Layout(home.absolute())
        self._start_timeout_s = start_timeout_s
        self._program = program

    def ensure_running(self) -> StackInfo:
        """Returns when every process is ready. Raises `StartFailed`, `StackUnresponsive`, `HomeBusy`, `HomeUnusable`."""
        make_home(self.layout.home)
        deadline = time.monotonic() + self._start_timeout_s
        state = read_live_state(self.layout)
        while state is not None and state.phase in ("stopping", "failed"):
            self._pause(deadline, "does not finish stopping")
            state = read_live_state(self.layout)
        if state is not None:
            return self._info(self._await_ready(state.supervisor, deadline), started=False)
        ours = self._launch()
        ready = self._await_ready(ours, deadline)
        return self._info(ready, started=ready.supervisor == ours)

    def info(self) -> StackInfo | None:
        """None unless a stack runs and is ready."""
        state = read_live_state(self.layout)
        return self._info(state, started=False) if state is not None and state.phase == "ready" else None

    def stop(self, timeout_s: float = STOP_TIMEOUT_S) -> bool:
        """Stops everything and waits, orphans of a killed supervisor included. False when nothing ran."""
        state = read_live_state(self.layout)
        if state is None:
            return self._end_orphans()
        _signal(state.supervisor, signal.SIGTERM)
        deadline = time.monotonic() + timeout_s
        while is_alive(state.supervisor):
            if time.monotonic() > deadline:
                _signal(state.supervisor, signal.SIGKILL)
                deadline += timeout_s
            time.sleep(LOOK_EVERY_S)
        self._end_orphans()
        return True

    def remove(self) -> None:
        """Stops the stack and deletes its home and what Postgres had to keep elsewhere."""
        self.stop()
        abandon_place(self.layout)
        shutil.rmtree(self.layout.home, ignore_errors=True)

    def _launch(self) -> Identity:
        started = subprocess.run(  # noqa: S603 - ourselves
            [*self._program, str(self.layout.home)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        identity = identify(int(started.stdout)) if started.returncode == 0 else None
        if identity is None:
            problem = started.stderr.strip().removeprefix("error: ") or self._last_words()
            raise StackUnresponsive(self.layout.home, f"did not start: {problem}")
        return identity

    def _await_ready(self, supervisor: Identity, deadline: float) -> StackState:
        while True:
            alive = is_alive(supervisor)
            state = read_state(self.layout)
            if state is not None and state.supervisor == supervisor:
                if state.failure is not None:
                    self._await_end(supervisor, deadline)
                    raise StartFailed(state.failure.process, state.failure.problem, state.failure.log_tail)
                if alive and state.phase == "ready":
                    return state
            if not alive:
                rival = read_live_state(self.layout)  # two started at once, and the other one got the home
                if rival is None:
                    raise StackUnresponsive(self.layout.home, f"did not start: {self._last_words()}")
                supervisor = rival.supervisor
            self._pause(deadline, "did not become ready in time")

    def _await_end(self, supervisor: Identity, deadline: float) -> None:
        while is_alive(supervisor):
            self._pause(deadline, "does not finish stopping")

    def _pause(self, deadline: float, problem: str) -> None:
        if time.monotonic() > deadline:
            raise StackUnresponsive(self.layout.home, problem)
        time.sleep(LOOK_EVERY_S)

    def _end_orphans(self) -> bool:
        recorded = read_state(self.layout)
        if recorded is None:
            return False
        with (
            contextlib.suppress(HomeBusy),
            hold_home(self.layout),
        ):  # busy: somebody starts it anew and clears up himself
            return bool(stop_orphans(recorded))
        return False

    def _last_words(self) -> str:
        lines = log_tail(self.layout.log_file("supervisor"), 1)
        return lines[0].removeprefix("error: ") if lines else "it left no message"

    def _info(self, state: StackState, *, started: bool) -> StackInfo:
        assert state.portal is not None
        assert state.addresses is not None
        return StackInfo(
            home=self.layout.home,
            portal=state.portal,
            operator_key_file=self.layout.operator_key_file,
            board=self.layout.board,
            ports={name: process.port for name, process in state.processes.items() if process.port is not None},
            addresses=state.addresses,
            started=started,
        )


def _signal(identity: Identity, what: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(identity.pid, what)
