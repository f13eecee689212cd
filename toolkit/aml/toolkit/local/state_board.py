"""The supervisor's record of its processes, on disk at every change."""

import contextlib
import os
import time

from msgspec.structs import replace

from .home import Layout
from .process_plan import ProcessPlan
from .state import Addresses, Failure, ProcessState, StackState, identify, write_state


class StateBoard:
    def __init__(self, layout: Layout, portal: str | None = None, addresses: Addresses | None = None) -> None:
        supervisor = identify(os.getpid())
        assert supervisor is not None  # it is this process
        self._layout = layout
        self._state = StackState(
            home=layout.home,
            phase="starting",
            supervisor=supervisor,
            started_at_ms=_now_ms(),
            portal=portal,
            addresses=addresses,
        )
        write_state(layout, self._state)

    @property
    def state(self) -> StackState:
        return self._state

    def started(self, plan: ProcessPlan, pid: int) -> None:
        before = self._of(plan.name)
        self._put(
            plan.name,
            replace(before, port=plan.port, readiness=plan.readiness, identity=identify(pid), state="starting"),
        )

    def became_ready(self, name: str) -> None:
        self._put(name, replace(self._of(name), state="ready"))

    def crashed(self, name: str, how: str) -> None:
        before = self._of(name)
        self._put(name, replace(before, identity=None, state="restarting", restarts=before.restarts + 1, last_exit=how))

    def stopped(self, name: str) -> None:
        self._put(name, replace(self._of(name), identity=None, state="stopped"))

    def ready(self) -> None:
        self._write(replace(self._state, phase="ready", ready_at_ms=_now_ms()))

    def failed(self, process: str, problem: str, log_tail: tuple[str, ...]) -> None:
        failure = Failure(process=process, problem=problem, log_tail=log_tail)
        self._write(replace(self._state, phase="failed", failure=failure))

    def stopping(self) -> None:
        if self._state.phase != "failed":  # why it failed is what the reader waits for
            self._write(replace(self._state, phase="stopping"))

    def _of(self, name: str) -> ProcessState:
        return self._state.processes.get(name, ProcessState())

    def _put(self, name: str, process: ProcessState) -> None:
        self._write(replace(self._state, processes=self._state.processes | {name: process}))

    def _write(self, state: StackState) -> None:
        self._state = state
        # A full disk must not end the supervisor; the next change is written again, whole.
        with contextlib.suppress(OSError):
            write_state(self._layout, state)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
