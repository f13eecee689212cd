"""Starting a child: its own session, its own log file, and no life after its parent's."""

import asyncio
import os
import signal
import subprocess
import warnings
from collections.abc import Callable
from io import FileIO
from pathlib import Path
from typing import Any

from aml.runtime.prctl import is_linux, set_death_signal

from .child import Child
from .process_plan import ProcessPlan

LOG_LIMIT_BYTES = 8 * 1024 * 1024
LOG_GENERATIONS = 3


def spawn(plan: ProcessPlan) -> subprocess.Popen[bytes]:
    with open_log(plan.log_file) as log, warnings.catch_warnings():
        # Python 3.12 warns of a fork beside other threads; between fork and exec ours only makes two system calls.
        warnings.filterwarnings("ignore", message=".*fork.*", category=DeprecationWarning)
        return subprocess.Popen(plan.command, stdout=log, stderr=log, **child_options(plan))  # noqa: S603 - a plan of ours


async def spawn_child(plan: ProcessPlan) -> Child:
    """The same inside a running loop."""
    with open_log(plan.log_file) as log:
        return await asyncio.create_subprocess_exec(
            *plan.command, stdout=log, stderr=subprocess.STDOUT, **child_options(plan)
        )


def child_options(plan: ProcessPlan) -> dict[str, Any]:
    """Keywords for `subprocess.Popen`, apart from its output.

    Start the child on a thread that lives as long as the parent: Linux sends the death signal when that thread ends.
    """
    account = plan.account
    options: dict[str, Any] = {
        "stdin": subprocess.DEVNULL,
        "env": plan.environment,
        "start_new_session": True,
        "preexec_fn": die_with_parent(plan.stop_signal),
    }
    if account is not None:
        # Away from the caller's folder, which may be closed to the account.
        options |= {"cwd": "/", "user": account.uid, "group": account.gid, "extra_groups": []}
    return options


def die_with_parent(death_signal: signal.Signals) -> Callable[[], None] | None:
    """Run in the child, after it has dropped its rights (the kernel forgets the request when they change).

    Only Linux can do this. Elsewhere a stack whose supervisor was killed outright lives on until the next `aml up` or
    `aml down`, which stop what `state.json` names.
    """
    if not is_linux():
        return None
    parent = os.getpid()

    def bind() -> None:
        set_death_signal(death_signal)
        if os.getppid() != parent:  # it died before the request was made
            os._exit(1)

    return bind


def open_log(path: Path) -> FileIO:
    rotate_log(path)
    return path.open("ab", buffering=0)


def rotate_log(path: Path, limit_bytes: int = LOG_LIMIT_BYTES) -> None:
    """Moves a grown log aside; `ledger.log.1` is the newest of the three that are kept."""
    try:
        if path.stat().st_size <= limit_bytes:
            return
    except FileNotFoundError:
        return
    for generation in range(LOG_GENERATIONS, 0, -1):
        older = path.with_name(f"{path.name}.{generation}")
        newer = path.with_name(f"{path.name}.{generation - 1}") if generation > 1 else path
        if newer.exists():
            newer.replace(older)


def log_tail(path: Path, lines: int = 8, window_bytes: int = 16_384) -> tuple[str, ...]:
    """The last lines that say something."""
    try:
        with path.open("rb") as log:
            log.seek(0, os.SEEK_END)
            log.seek(max(0, log.tell() - window_bytes))
            text = log.read().decode(errors="replace")
    except FileNotFoundError:
        return ()
    return tuple(line for line in text.splitlines() if line.strip())[-lines:]
