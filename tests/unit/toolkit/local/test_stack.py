"""The background supervisor for real, with fake services in it."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from aml.toolkit.local import LocalStack, StartFailed
from aml.toolkit.local.ports import is_free
from aml.toolkit.local.stack import StackUnresponsive
from aml.toolkit.local.stack_status import look
from aml.toolkit.local.state import is_alive, read_live_state

FAKE = (sys.executable, str(Path(__file__).with_name("fake_stack.py")))


@pytest.fixture
def stack(tmp_path: Path) -> Iterator[LocalStack]:
    stack = LocalStack(tmp_path / "home", program=FAKE, start_timeout_s=20)
    yield stack
    stack.stop()


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_starts_once_is_found_again_and_stops(stack: LocalStack) -> None:
    assert stack.info() is None
    assert not stack.stop()

    first = stack.ensure_running()
    again = LocalStack(stack.layout.home, program=FAKE).ensure_running()

    assert first.started
    assert not again.started
    assert again.portal == first.portal
    assert set(first.ports) == {"ledger", "gateway"}
    status = look(stack.layout)
    assert status.ready
    assert status.portal == first.portal
    assert {process.health for process in status.processes.values()} == {"ready"}

    assert stack.stop()
    assert stack.info() is None
    assert not look(stack.layout).running
    assert all(is_free(port) for port in first.ports.values())


def test_two_that_start_at_once_share_one_stack(stack: LocalStack) -> None:
    with ThreadPoolExecutor(2) as both:
        infos = list(both.map(lambda _: LocalStack(stack.layout.home, program=FAKE).ensure_running(), range(2)))

    assert sorted(info.started for info in infos) == [False, True]
    assert infos[0].portal == infos[1].portal


def test_a_start_that_fails_says_which_process_and_shows_its_log(stack: LocalStack) -> None:
    stack.layout.home.mkdir()
    (stack.layout.home / "broken").touch()

    with pytest.raises(StartFailed, match=r"ledger ended with exit code 1; its log is .*ledger\.log") as failed:
        stack.ensure_running()

    assert failed.value.log_tail[-1] == "error: no key"
    assert read_live_state(stack.layout) is None
    (stack.layout.home / "broken").unlink()
    assert stack.ensure_running().started, "nothing of the failed start is in the way"


def test_a_supervisor_that_cannot_start_is_one_clear_error(tmp_path: Path) -> None:
    stack = LocalStack(
        tmp_path, program=("/bin/sh", "-c", "echo 'error: AML_NATS_URL has an unusable value' >&2; exit 2")
    )

    with pytest.raises(StackUnresponsive, match="did not start: AML_NATS_URL has an unusable value"):
        stack.ensure_running()


def test_after_a_killed_supervisor_the_next_start_is_clean(stack: LocalStack) -> None:
    first = stack.ensure_running()
    state = read_live_state(stack.layout)
    assert state is not None
    children = [psutil.Process(process.identity.pid) for process in state.processes.values() if process.identity]

    os.kill(state.supervisor.pid, signal.SIGKILL)
    until(lambda: not is_alive(state.supervisor))
    second = stack.ensure_running()

    assert second.started
    assert second.ports == first.ports
    assert len(children) == 2
    until(lambda: not any(child.is_running() and child.status() != psutil.STATUS_ZOMBIE for child in children))


def test_a_stopped_supervisor_is_killed_with_its_children(stack: LocalStack) -> None:
    info = stack.ensure_running()
    state = read_live_state(stack.layout)
    assert state is not None
    os.kill(state.supervisor.pid, signal.SIGSTOP)

    assert stack.stop(timeout_s=0.3)

    assert read_live_state(stack.layout) is None
    until(lambda: all(is_free(port) for port in info.ports.values()))


def test_remove_leaves_nothing(stack: LocalStack) -> None:
    stack.ensure_running()

    stack.remove()

    assert not stack.layout.home.exists()
