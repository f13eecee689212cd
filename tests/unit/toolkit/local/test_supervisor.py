import asyncio
import errno
import os
import random
import signal
import time
from collections.abc import Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from aml.toolkit.local import state_board
from aml.toolkit.local.assembly import Stage
from aml.toolkit.local.charge import StartFailed
from aml.toolkit.local.home import Layout, make_home
from aml.toolkit.local.ports import choose_ports, is_free
from aml.toolkit.local.postgres_place import PostgresUnusable
from aml.toolkit.local.process_plan import ProcessPlan
from aml.toolkit.local.state import StackState, read_state
from aml.toolkit.local.state_board import StateBoard
from aml.toolkit.local.supervisor import Deadlines, Supervisor

from .fakes import a_service


class Told:
    def __init__(self) -> None:
        self.events: list[tuple[str, dict[str, object]]] = []

    def __call__(self, event: str, **fields: object) -> None:
        self.events.append((event, fields))

    def named(self, event: str) -> list[object]:
        return [fields["process"] for what, fields in self.events if what == event]


class Stack:
    def __init__(self, layout: Layout, stages: list[Stage], **deadlines: float) -> None:
        self.layout, self.told, self.stop = layout, Told(), asyncio.Event()
        self.board = StateBoard(layout)
        self.supervisor = Supervisor(stages, self.board, self.told, Deadlines(**deadlines))

    @property
    def state(self) -> StackState:
        state = read_state(self.layout)
        assert state is not None
        return state

    def pid(self, name: str) -> int:
        identity = self.state.processes[name].identity
        assert identity is not None
        return identity.pid

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(10):
            while not condition():
                await asyncio.sleep(0.01)

    @asynccontextmanager
    async def running(self) -> Any:
        task = asyncio.create_task(self.supervisor.run(self.stop))
        await self.until(lambda: self.state.phase == "ready" or task.done())
        yield self
        self.stop.set()
        await task


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return make_home(tmp_path)


@pytest.fixture
def ports() -> dict[str, int]:
    return choose_ports(("a", "b", "c"), {}, random.Random())


async def test_starts_by_stages_and_stops_in_reverse(layout: Layout, ports: dict[str, int]) -> None:
    first = {"a": a_service(layout.home, "a", ports["a"])}
    second = {name: a_service(layout.home, name, ports[name]) for name in ("b", "c")}

    async with Stack(layout, [first, second]).running() as stack:
        assert stack.told.named("process.ready")[0] == "a"
        assert {state.state for state in stack.state.processes.values()} == {"ready"}
        assert stack.state.processes["b"].port == ports["b"]

    assert [state.identity for state in stack.state.processes.values()] == [None] * 3
    assert [layout.log_file(name).read_text().split() for name in "abc"] == [["serving", "leaving"]] * 3
    assert all(is_free(port) for port in ports.values())


async def test_a_killed_process_is_started_again_and_counted(layout: Layout, ports: dict[str, int]) -> None:
    async with Stack(layout, [{"a": a_service(layout.home, "a", ports["a"])}]).running() as stack:
        before = stack.pid("a")

        os.kill(before, signal.SIGKILL)

        await stack.until(lambda: stack.state.processes["a"].restarts == 1)
        await stack.until(lambda: stack.state.processes["a"].state == "ready")
        assert stack.pid("a") != before
        assert stack.state.processes["a"].last_exit == "was ended by SIGKILL"
        assert stack.told.named("process.crashed") == ["a"]


async def test_workers_of_a_killed_process_do_not_keep_its_port(layout: Layout, ports: dict[str, int]) -> None:
    forks = f"""
import os, socket, sys, time
from http.server import HTTPServer, BaseHTTPRequestHandler
class Ready(BaseHTTPRequestHandler):
    def do_GET(self): self.send_response(200); self.end_headers()
    def log_message(self, *_): pass
server = HTTPServer(("127.0.0.1", {ports["a"]}), Ready)
if os.fork() == 0: server.serve_forever()
time.sleep(60)
"""
    async with Stack(layout, [{"a": a_service(layout.home, "a", ports["a"], script=forks)}]).running() as stack:
        os.kill(stack.pid("a"), signal.SIGKILL)

        await stack.until(lambda: stack.state.processes["a"].restarts == 1)
        await stack.until(lambda: stack.state.processes["a"].state == "ready")

    await stack.until(lambda: is_free(ports["a"]))


async def test_a_process_that_cannot_start_fails_the_stack_with_its_last_words(
    layout: Layout, ports: dict[str, int]
) -> None:
    broken = a_service(layout.home, "b", ports["b"], script="import sys; sys.exit('error: AML_X is not set')")
    stack = Stack(layout, [{"a": a_service(layout.home, "a", ports["a"]), "b": broken}])

    with pytest.raises(StartFailed, match="b ended with exit code 1") as failed:
        await stack.supervisor.run(stack.stop)

    assert failed.value.log_tail[-1] == "error: AML_X is not set"
    assert stack.state.phase == "failed"
    assert stack.state.failure is not None
    assert stack.state.failure.process == "b"
    assert stack.state.processes["a"].identity is None
    assert is_free(ports["a"])


async def test_a_process_that_never_gets_ready_is_named_with_what_it_said(
    layout: Layout, ports: dict[str, int]
) -> None:
    silent = a_service(layout.home, "a", ports["a"], script="import time; time.sleep(60)")
    stack = Stack(layout, [{"a": silent}], start_s=0.3)

    with pytest.raises(StartFailed, match=r"a was not ready after 0\.3 s \(nothing listens"):
        await stack.supervisor.run(stack.stop)


async def test_a_preparation_that_fails_is_not_repeated(layout: Layout) -> None:
    calls = []

    def prepare() -> ProcessPlan:
        calls.append(1)
        raise PostgresUnusable("no space left")

    stack = Stack(layout, [{"postgres": prepare}])

    with pytest.raises(StartFailed, match="postgres cannot be started: Postgres cannot be used: no space left"):
        await stack.supervisor.run(stack.stop)
    assert calls == [1]


async def test_a_disk_that_is_full_for_a_while_ends_nothing(layout: Layout, ports: dict[str, int]) -> None:
    real = a_service(layout.home, "a", ports["a"])
    calls = []

    def prepare() -> ProcessPlan:
        calls.append(1)
        if len(calls) in (2, 3):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "nats.conf")
        return real()

    async with Stack(layout, [{"a": prepare}]).running() as stack:
        os.kill(stack.pid("a"), signal.SIGKILL)

        await stack.until(lambda: stack.state.processes["a"].restarts == 3)
        await stack.until(lambda: stack.state.processes["a"].state == "ready")
        assert stack.state.processes["a"].last_exit == "cannot be started: No space left on device: nats.conf"


async def test_a_record_that_cannot_be_written_ends_nothing(
    layout: Layout, ports: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    async with Stack(layout, [{"a": a_service(layout.home, "a", ports["a"])}]).running() as stack:
        with monkeypatch.context() as full_disk:
            full_disk.setattr(state_board, "write_state", refuse)
            os.kill(stack.pid("a"), signal.SIGKILL)
            await stack.until(lambda: len(stack.told.named("process.ready")) == 2)
        identity = stack.board.state.processes["a"].identity
        assert identity is not None
        os.kill(identity.pid, signal.SIGKILL)
        await stack.until(lambda: stack.state.processes["a"].restarts == 2)


async def test_a_missing_program_is_said(layout: Layout, ports: dict[str, int]) -> None:
    plan = a_service(layout.home, "a", ports["a"])()
    absent = ProcessPlan(
        name="a", command=("/absent",), environment={}, log_file=plan.log_file, port=1, readiness=plan.readiness
    )
    stack = Stack(layout, [{"a": lambda: absent}])

    with pytest.raises(StartFailed, match="No such file or directory: /absent"):
        await stack.supervisor.run(stack.stop)


async def test_a_deaf_process_is_killed_after_the_deadline(layout: Layout, ports: dict[str, int]) -> None:
    deaf = a_service(layout.home, "a", ports["a"], on_term="signal.SIG_IGN")

    async with Stack(layout, [{"a": deaf}], stop_s=0.2).running() as stack:
        process = psutil.Process(stack.pid("a"))

    assert stack.told.named("process.killed") == ["a"]
    assert not process.is_running()


async def test_stops_in_the_middle_of_starting(layout: Layout, ports: dict[str, int]) -> None:
    silent = a_service(layout.home, "a", ports["a"], script="import time; time.sleep(60)")
    stack = Stack(layout, [{"a": silent}])
    running = asyncio.create_task(stack.supervisor.run(stack.stop))
    await stack.until(lambda: "a" in stack.state.processes)
    process = psutil.Process(stack.pid("a"))

    began = time.monotonic()
    stack.stop.set()
    await running

    assert time.monotonic() - began < 5
    assert not process.is_running()


async def test_stops_while_a_process_waits_to_be_started_again(layout: Layout, ports: dict[str, int]) -> None:
    async with Stack(layout, [{"a": a_service(layout.home, "a", ports["a"])}]).running() as stack:
        os.kill(stack.pid("a"), signal.SIGKILL)
        await stack.until(lambda: stack.state.processes["a"].state == "restarting")

    assert stack.state.processes["a"].state == "stopped"
    assert is_free(ports["a"])
