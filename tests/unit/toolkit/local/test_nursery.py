"""A real nursery, over modules that stand in for services."""

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from msgspec.structs import replace

from aml.toolkit.local.child import AdoptedChild, Start, can_adopt
from aml.toolkit.local.home import make_home
from aml.toolkit.local.nursery import open_nursery
from aml.toolkit.local.ports import choose_ports
from aml.toolkit.local.process_plan import HttpReady, ProcessPlan
from aml.toolkit.local.state_board import StateBoard
from aml.toolkit.local.supervisor import Supervisor

pytestmark = pytest.mark.skipif(not can_adopt(), reason="this system cannot adopt a process; services are spawned here")

REPORTS = """
import os, sys
print(os.getsid(0) == os.getpid(), os.getppid(), sorted(os.environ), sys.stdin.read() == "", __name__, flush=True)
print([n for n in os.listdir("/proc/self/fd") if int(n) > 2 and os.path.lexists(f"/proc/self/fd/{n}")])
sys.exit("error: no key" if "FAIL" in os.environ else 0)
"""
WAITS = "import time; print('up', flush=True); time.sleep(60)"
SERVES = """
import http.server, os
class Ready(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers()
    def log_message(self, *_): pass
http.server.HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Ready).serve_forever()
"""


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("modules")
    for name, text in {"reports": REPORTS, "waits": WAITS, "serves": SERVES}.items():
        (folder / f"{name}.py").write_text(text)
    return folder


@pytest.fixture(scope="module")
def start(modules: Path) -> Iterator[Start]:
    with open_nursery({"PYTHONPATH": str(modules), "OF_THE_NURSERY": "1"}, modules / "nursery.log") as start:
        yield start


def a_plan(modules: Path, module: str, **environment: str) -> ProcessPlan:
    return ProcessPlan(
        name=module,
        command=(sys.executable, "-m", module),
        module=module,
        environment={"PYTHONPATH": str(modules)} | environment,
        log_file=modules / f"{module}-{time.monotonic_ns()}.log",
        port=1,
        readiness=HttpReady(port=1),
    )


async def said(plan: ProcessPlan, lines: int = 1) -> list[str]:
    async with asyncio.timeout(10):
        while len(found := plan.log_file.read_text().splitlines()) < lines:
            await asyncio.sleep(0.01)
    return found


def nursery_of_this_process() -> list[psutil.Process]:
    return [each for each in psutil.Process().children() if "aml.runtime.nursery" in each.cmdline()]


def is_gone(process: psutil.Process) -> bool:
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


async def test_what_it_forks_is_our_child_with_its_environment_and_nothing_of_another(
    start: Start, modules: Path
) -> None:
    secret = await start(a_plan(modules, "reports", SECRET_OF_ONE="x"))
    assert await secret.wait() == 0
    plan = a_plan(modules, "reports", ONLY="this")

    child = await start(plan)

    assert isinstance(child, AdoptedChild)
    assert await child.wait() == 0
    own, files = await said(plan, 2)
    assert own == f"True {os.getpid()} ['ONLY', 'PYTHONPATH'] True __main__"
    assert files == "[]"


async def test_how_it_ended_is_known(start: Start, modules: Path) -> None:
    plan = a_plan(modules, "reports", FAIL="1")
    failing = await start(plan)
    assert await failing.wait() == 1
    assert "error: no key" in await said(plan, 3)

    waiting = await start(a_plan(modules, "waits"))
    waiting.send_signal(signal.SIGKILL)

    assert await waiting.wait() == -signal.SIGKILL
    waiting.send_signal(signal.SIGKILL)  # reaped: the number may be a stranger's by now


async def test_ps_shows_which_service_it_is(start: Start, modules: Path) -> None:
    child = await start(a_plan(modules, "waits"))
    try:
        process = psutil.Process(child.pid)
        assert [part for part in process.cmdline() if part][-2:] == ["-m", "waits"]
        assert process.name() == "waits"
    finally:
        child.send_signal(signal.SIGTERM)
        assert await child.wait() == -signal.SIGTERM


async def test_what_was_killed_is_forked_again_and_without_the_nursery_spawned(modules: Path) -> None:
    [unused_port] = choose_ports(("a",), {}, random.Random()).values()
    layout = make_home(modules / "home")
    plan = replace(a_plan(modules, "serves", PORT=str(unused_port)), readiness=HttpReady(port=unused_port))
    board = StateBoard(layout)
    stop = asyncio.Event()

    async def ready_again(restarts: int) -> psutil.Process:
        async with asyncio.timeout(10):
            while True:
                now = board.state.processes.get("serves")
                if now is not None and now.state == "ready" and now.restarts == restarts:
                    assert now.identity is not None
                    return psutil.Process(now.identity.pid)
                await asyncio.sleep(0.01)

    before = {each.pid for each in nursery_of_this_process()}
    with open_nursery({"PYTHONPATH": str(modules)}, modules / "nursery.log") as start:
        [nursery] = [each for each in nursery_of_this_process() if each.pid not in before]
        supervisor = Supervisor([{"serves": lambda: plan}], board, lambda *_, **__: None, start=start)
        running = asyncio.create_task(supervisor.run(stop))
        first = await ready_again(0)
        assert first.name() == "serves"

        first.kill()
        second = await ready_again(1)
        assert second.name() == "serves"

        nursery.kill()
        await asyncio.sleep(0.1)
        assert not is_gone(second), "the nursery's end is nobody else's"
        second.kill()
        third = await ready_again(2)
        assert third.name().startswith("python")

        stop.set()
        await running
    assert all(is_gone(each) for each in (nursery, first, second, third))


def test_neither_the_nursery_nor_its_children_outlive_the_parent(modules: Path) -> None:
    script = f"""
import asyncio, sys
from pathlib import Path
from aml.toolkit.local.nursery import open_nursery
from aml.toolkit.local.ports import choose_ports
from aml.toolkit.local.process_plan import HttpReady, ProcessPlan
environment = {{"PYTHONPATH": {str(modules)!r}}}
plan = ProcessPlan(name="waits", command=("/absent",), module="waits", environment=environment, port=1,
                   log_file=Path({str(modules)!r}) / "waits.log", readiness=HttpReady(port=1))
async def main(start):
    print((await start(plan)).pid, flush=True)
    await asyncio.sleep(60)
with open_nursery(environment, Path({str(modules)!r}) / "nursery.log") as start:
    asyncio.run(main(start))
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        parent.stdout.readline()
        family = psutil.Process(parent.pid).children(recursive=True)
        assert len(family) == 2

        parent.kill()
        parent.wait(5)

    deadline = time.monotonic() + 5
    while not all(is_gone(each) for each in family):
        assert time.monotonic() < deadline, family
        time.sleep(0.01)
