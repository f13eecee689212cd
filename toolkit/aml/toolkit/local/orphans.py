"""Ending what a killed supervisor left behind, and never a stranger that got the same process id."""

import os
import signal
import time
from collections.abc import Iterable
from pathlib import Path

import psutil

from .state import StackState, is_alive

MARK = "AML_STACK_HOME"
"""In the environment of every child, so that a grandchild whose parent is gone can be told from a stranger."""

PATIENCE_S = 5.0


def stop_orphans(recorded: StackState, patience_s: float = PATIENCE_S) -> list[str]:
    """Ends every process that `recorded` names and that still is the same one. Returns the names of those that were alive."""
    found: list[str] = []
    doomed: list[psutil.Process] = []
    for name, process in recorded.processes.items():
        if process.identity is None:
            continue
        members = _session(process.identity.pid, recorded.home)
        if is_alive(process.identity):
            members.append(psutil.Process(process.identity.pid))
        if members:
            found.append(name)
            doomed += members
    end(doomed, signal.SIGTERM, patience_s)
    return found


def stop_postgres_strays(data: Path, patience_s: float = PATIENCE_S) -> int:
    """Ends every postgres and initdb that works in `data`, by the order that lets backends finish first. Returns how many."""
    strays = [process for process in psutil.process_iter(["name"]) if _works_in(process, data)]
    end(strays, signal.SIGINT, patience_s)
    return len(strays)


def end_session(leader: int) -> None:
    """Kills what is left of a dead child's session: a worker that it forked would go on holding its port."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def end(processes: Iterable[psutil.Process], gently: signal.Signals, patience_s: float) -> None:
    asked = [process for process in processes if _send(process, gently)]
    stubborn = _still_running(asked, patience_s)
    for process in stubborn:
        _send(process, signal.SIGKILL)
    _still_running(stubborn, patience_s)


def _session(leader: int, home: Path) -> list[psutil.Process]:
    """Members of the session that `leader` opened, whether or not it lives, that carry the home's mark."""
    members = []
    for process in psutil.process_iter():
        try:
            if process.pid != leader and os.getsid(process.pid) == leader and process.environ().get(MARK) == str(home):
                members.append(process)
        except (psutil.Error, OSError):  # gone meanwhile, or somebody else's
            continue
    return members


def _works_in(process: psutil.Process, data: Path) -> bool:
    if process.info["name"] not in ("postgres", "initdb"):
        return False
    try:
        # Postgres moves into its data folder; initdb only names it.
        return process.cwd() == str(data) or str(data) in process.cmdline()
    except psutil.Error:
        return False


def _still_running(processes: list[psutil.Process], patience_s: float) -> list[psutil.Process]:
    """Those left after at most `patience_s`. A zombie is gone: not every init fetches its orphans soon."""
    deadline = time.monotonic() + patience_s
    while (left := [process for process in processes if _runs(process)]) and time.monotonic() < deadline:
        time.sleep(0.01)
    return left


def _runs(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _send(process: psutil.Process, what: signal.Signals) -> bool:
    try:
        process.send_signal(what)
    except psutil.NoSuchProcess:
        return False
    return True
