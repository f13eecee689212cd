"""`aml up`, `status` and `down` with the real services, and the addresses that other tests are given."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nats
import psutil
import psycopg
import pytest
from tests.factories.interruptible import hears_ctrl_c

from aml.toolkit.local import LocalStack
from aml.toolkit.local.services import SERVICES

AML = (sys.executable, "-c", "from aml.toolkit.cli.app import main; main()")
PROCESSES = {"nats", "postgres", *SERVICES}


def aml(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [*AML, *arguments, "--home", str(home)]
    environ = {name: value for name, value in os.environ.items() if not name.startswith("AML_")}
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=environ, check=False)


def status(home: Path) -> Any:
    return json.loads(aml(home, "status", "--json").stdout)


def wait_until_ready(home: Path, *, without: dict[str, int]) -> Any:
    """Every process ready, and none of them with a process id in `without`."""
    deadline = time.monotonic() + 30
    while True:
        found = status(home)
        fresh = found["ready"] and all(found["processes"][name]["pid"] != pid for name, pid in without.items())
        if fresh:
            return found
        assert time.monotonic() < deadline, found
        time.sleep(0.1)


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="aml-stack-") as name:
        home = Path(name) / "home"
        started = aml(home, "up", "--detach")
        try:
            assert started.returncode == 0, started.stderr
            yield home
        finally:
            LocalStack(home).remove()


@pytest.mark.stack
def test_status_names_every_process_and_the_portal_answers(home: Path) -> None:
    found = status(home)

    assert set(found["processes"]) == PROCESSES
    assert {process["health"] for process in found["processes"].values()} == {"ready"}
    assert len({process["port"] for process in found["processes"].values()}) == len(PROCESSES)
    assert found["portal"] == f"http://127.0.0.1:{found['processes']['gateway']['port']}"
    with urllib.request.urlopen(f"{found['portal']}/health/live") as reply:
        assert reply.status == 200
    for process in found["processes"].values():
        assert Path(process["log"]).is_file()


@pytest.mark.stack
def test_a_second_up_finds_the_first(home: Path) -> None:
    before = status(home)["supervisor_pid"]

    again = aml(home, "up", "--detach")

    assert again.returncode == 0
    assert "already running: http://127.0.0.1:" in again.stdout
    assert status(home)["supervisor_pid"] == before


@pytest.mark.stack
def test_no_secret_stands_on_a_command_line(home: Path) -> None:
    secrets = {file.read_text().strip() for file in (home / "secrets").iterdir()}

    for process in status(home)["processes"].values():
        line = " ".join(psutil.Process(process["pid"]).cmdline())
        assert not any(secret in line for secret in secrets if secret)


@pytest.mark.stack
@pytest.mark.fault
@pytest.mark.parametrize("name", sorted(PROCESSES))
def test_what_is_killed_comes_back_at_the_same_port(home: Path, name: str) -> None:
    before = wait_until_ready(home, without={})["processes"][name]

    os.kill(before["pid"], signal.SIGKILL)

    after = wait_until_ready(home, without={name: before["pid"]})["processes"][name]
    assert after["port"] == before["port"]
    assert after["restarts"] >= before["restarts"] + 1
    assert after["last_exit"] == "was ended by SIGKILL"


@pytest.mark.stack
@pytest.mark.fault
def test_a_killed_supervisor_leaves_nothing_in_the_way(home: Path) -> None:
    before = status(home)

    os.kill(before["supervisor_pid"], signal.SIGKILL)
    psutil.wait_procs([psutil.Process(before["supervisor_pid"])] if psutil.pid_exists(before["supervisor_pid"]) else [])
    again = aml(home, "up", "--detach")

    assert again.returncode == 0, again.stderr
    after = status(home)
    assert after["ready"]
    assert after["portal"] == before["portal"]


@pytest.mark.stack
def test_down_stops_everything_and_up_brings_it_back(home: Path) -> None:
    running = [psutil.Process(process["pid"]) for process in status(home)["processes"].values()]

    assert aml(home, "down").returncode == 0

    assert not any(process.is_running() and process.status() != psutil.STATUS_ZOMBIE for process in running)
    assert not status(home)["running"]
    assert aml(home, "up", "--detach").returncode == 0
    assert status(home)["ready"]


@pytest.mark.stack
def test_in_the_foreground_ctrl_c_stops_everything(tmp_path: Path) -> None:
    home = tmp_path / "home"
    environ = {name: value for name, value in os.environ.items() if not name.startswith("AML_")}
    with subprocess.Popen(
        [*AML, "up", "--home", str(home)],
        stdout=subprocess.PIPE,
        text=True,
        env=environ,
        preexec_fn=hears_ctrl_c,  # noqa: PLW1509  one line that takes no lock
    ) as up:
        try:
            found = wait_until_ready(home, without={})
            up.send_signal(signal.SIGINT)
            said, _ = up.communicate(timeout=30)
        finally:
            LocalStack(home).remove()

    assert up.returncode == 0
    assert f"ready: {found['portal']}" in said
    assert said.splitlines()[-1] == "stopped"
    for process in found["processes"].values():
        assert not psutil.pid_exists(process["pid"]) or psutil.Process(process["pid"]).status() == psutil.STATUS_ZOMBIE


async def test_the_session_has_a_broker_and_a_database(
    nats_url: str, database_url: str, fresh_database_url: str
) -> None:
    client = await nats.connect(nats_url)
    assert (await client.jetstream().account_info()).streams >= 0
    await client.close()
    with psycopg.connect(fresh_database_url) as connection:
        connection.execute("CREATE TABLE mine (n int)")
    with psycopg.connect(database_url) as connection:
        found = connection.execute("SELECT count(*) FROM pg_tables WHERE tablename = 'mine'").fetchone()
    assert found == (0,)
