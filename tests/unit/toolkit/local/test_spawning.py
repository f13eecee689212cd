import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from aml.toolkit.local.process_plan import HttpReady, ProcessPlan
from aml.toolkit.local.spawning import log_tail, rotate_log, spawn


def a_plan(tmp_path: Path, script: str, **changes: object) -> ProcessPlan:
    values: dict[str, object] = {
        "name": "fake",
        "command": (sys.executable, "-c", script),
        "environment": {"ONLY": "this"},
        "log_file": tmp_path / "fake.log",
        "port": 1,
        "readiness": HttpReady(port=1),
    }
    return ProcessPlan(**(values | changes))  # type: ignore[arg-type]


def test_a_child_has_its_own_session_its_own_log_and_only_its_environment(tmp_path: Path) -> None:
    script = (
        "import os; print(os.getsid(0) == os.getpid(), dict(os.environ).get('ONLY'), 'HOME' in os.environ, flush=True)"
    )

    child = spawn(a_plan(tmp_path, script))

    assert child.wait(10) == 0
    assert (tmp_path / "fake.log").read_text().split() == ["True", "this", "False"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can drop to another account")
def test_root_drops_to_the_account_with_no_groups(tmp_path: Path) -> None:
    from aml.toolkit.local.process_plan import Account

    plan = a_plan(tmp_path, "", account=Account(name="nobody", uid=65534, gid=65534), command=("/usr/bin/id",))

    assert spawn(plan).wait(10) == 0
    assert "uid=65534" in (said := (tmp_path / "fake.log").read_text())
    assert "root" not in said


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a death signal is Linux's")
def test_a_child_does_not_outlive_a_parent_that_is_killed(tmp_path: Path) -> None:
    parent_script = f"""
import sys, time
from pathlib import Path
from aml.toolkit.local.process_plan import HttpReady, ProcessPlan
from aml.toolkit.local.spawning import spawn
child = spawn(ProcessPlan(name="x", command=("/bin/sleep", "60"), environment={{}}, log_file=Path({str(tmp_path)!r}) / "x.log",
                          port=1, readiness=HttpReady(port=1)))
print(child.pid, flush=True)
time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", parent_script], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = psutil.Process(int(parent.stdout.readline()))
        assert child.is_running()

        parent.send_signal(signal.SIGKILL)
        parent.wait(5)

    assert_ends(child)


def assert_ends(process: psutil.Process) -> None:
    deadline = time.monotonic() + 5
    while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_grown_log_moves_aside_and_the_oldest_is_dropped(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    for content in ("one", "two", "three", "four", "five"):
        log.write_text(content)
        rotate_log(log, limit_bytes=2)

    assert not log.exists()
    assert [(tmp_path / f"a.log.{n}").read_text() for n in (1, 2, 3)] == ["five", "four", "three"]


def test_a_small_log_stays(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    log.write_text("short")

    rotate_log(log, limit_bytes=100)
    rotate_log(tmp_path / "absent.log", limit_bytes=100)

    assert log.read_text() == "short"


def test_the_tail_skips_empty_lines_and_bytes_that_are_no_text(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    log.write_bytes(b"x" * 40_000 + b"\nfirst\n\n\xff second\n   \n")

    assert log_tail(log, 2) == ("first", "� second")
    assert log_tail(tmp_path / "absent.log") == ()
