import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from msgspec.structs import replace

from aml.toolkit.local.orphans import MARK, end_session, stop_orphans
from aml.toolkit.local.state import Identity, ProcessState, StackState, identify, is_alive

FORKS = "import subprocess, sys; p = subprocess.Popen(['/bin/sleep', '60']); print(p.pid, flush=True); p.wait()"


@pytest.fixture
def leader(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A marked process that leads a session and has one child in it."""
    command = [sys.executable, "-c", FORKS]
    environment = {MARK: str(tmp_path)}
    with subprocess.Popen(
        command, env=environment, start_new_session=True, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process
        end_session(process.pid)


def recorded(home: Path, identity: Identity | None) -> StackState:
    return StackState(
        home=home,
        phase="ready",
        supervisor=Identity(pid=1, started=0.0),
        started_at_ms=0,
        processes={"ledger": ProcessState(identity=identity)},
    )


def child_of(leader: subprocess.Popen[str]) -> psutil.Process:
    assert leader.stdout is not None
    child = psutil.Process(int(leader.stdout.readline()))
    while MARK not in child.environ():  # Linux shows it a moment after the program has begun
        time.sleep(0.001)
    return child


def test_ends_what_the_record_names_and_its_children(tmp_path: Path, leader: subprocess.Popen[str]) -> None:
    child, identity = child_of(leader), identify(leader.pid)
    assert identity is not None

    assert stop_orphans(recorded(tmp_path, identity)) == ["ledger"]

    assert not is_alive(identity)
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


def test_ends_a_worker_whose_leader_is_gone(tmp_path: Path, leader: subprocess.Popen[str]) -> None:
    child, identity = child_of(leader), identify(leader.pid)
    leader.kill()
    leader.wait()
    assert child.is_running()

    assert stop_orphans(recorded(tmp_path, identity)) == ["ledger"]

    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


def test_spares_a_stranger_that_has_the_process_id_now(tmp_path: Path, leader: subprocess.Popen[str]) -> None:
    child, identity = child_of(leader), identify(leader.pid)
    assert identity is not None
    another_home = tmp_path / "another"

    assert stop_orphans(recorded(another_home, replace(identity, started=identity.started - 3600))) == []

    assert leader.poll() is None
    assert child.is_running()


def test_nothing_recorded_is_nothing_ended(tmp_path: Path) -> None:
    assert stop_orphans(recorded(tmp_path, None)) == []


def test_a_zombie_counts_as_dead() -> None:
    process = subprocess.Popen(["/bin/true"])
    identity = identify(process.pid)
    assert identity is not None
    psutil_process = psutil.Process(process.pid)
    while psutil_process.status() != psutil.STATUS_ZOMBIE:
        pass

    assert not is_alive(identity)

    process.wait()
    assert identify(process.pid) is None
